// The time zone database, as Scripts/generate-time-zones.py writes it.

#pragma once

#include <stddef.h>

struct time_zone_data {
  const void *_Nonnull bytes;
  size_t count;
};

struct time_zone_data time_zone_data(void);
