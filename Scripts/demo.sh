#!/usr/bin/env bash
# Shows the whole system: nginx serves the flower shop on loopback, contentc publishes it, the example app reads it.
#   Scripts/demo.sh CONTENTC APP [ARGUMENT-OF-APP...]
# All files are in demo/, which git ignores and the next run replaces. The end of the app stops nginx.
set -euo pipefail
cd "$(dirname "$0")/.."
contentc=$1 app=$2
shift 2
demo=$PWD/demo
PATH=$PATH:/usr/sbin

# A copy of the sample to change: its app checks every ten seconds, and its only channel is here.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
site=http://127.0.0.1:$port
rm -rf "$demo"
mkdir -p "$demo/nginx"
cp -R content "$demo/content"
sed -e 's/^  app: 10m .*/  app: 10s/' -e '/^channels:/,$d' content/content.yaml >"$demo/content/content.yaml"
cat >>"$demo/content/content.yaml" <<END
channels:
  demo: {target: site, url: "$site"}
END
ln -s "$contentc" "$demo/contentc"
cd "$demo"

./contentc server nginx --listen "127.0.0.1:$port" --state "$demo/nginx" >nginx.conf
# nginx started by root reads files as another user.
nginx -c "$demo/nginx.conf" -e "$demo/nginx/early.log" -g "daemon off; user $(id -un);" 2>nginx/output.log &
nginx=$!
trap 'kill "$nginx" 2>/dev/null || true; wait "$nginx" 2>/dev/null || true' EXIT
until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
  kill -0 "$nginx" 2>/dev/null || { cat nginx/output.log nginx/early.log >&2; exit 1; }
  sleep 0.05
done
./contentc publish --quiet --message "The first release"

cat <<END

The flower shop is published at $site, and the app checks there every ten seconds.
In the app, type a number to follow a link, or a command; 'help' lists them. For example:

  list roses under 60 by price top 3
  lang fr            country FR           device tv

In another terminal, be the publisher:

  cd $demo
  sed -i 's/Good to see you/Welcome back/' content/entries/screen/home.yaml && ./contentc publish
  ./contentc purge product/country-charm --reason "A swear word"
  ./contentc maintenance on
  ./contentc maintenance off
  kill $nginx          # the app goes on without a server

END
if [ -t 0 ]; then read -r -p "Enter opens the shop. "; fi
"$app" --url "$site" --channel demo --storage "$demo/app" --country US --rate 100 "$@"
