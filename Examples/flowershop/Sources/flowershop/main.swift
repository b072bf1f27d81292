import Foundation
import ShopTerminal

exit(await FlowerShop.run(Array(CommandLine.arguments.dropFirst())))
