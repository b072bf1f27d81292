// The bytes are embedded by the C compiler, so that they cost nothing until a zone is looked up.

#include "TimeZoneData.h"

static const unsigned char zones[] = {
#embed "zones.bin"
};

struct time_zone_data time_zone_data(void) {
  return (struct time_zone_data){zones, sizeof zones};
}
