// The preview's page, as the files that it is written in.

#pragma once

struct preview_page_file {
  // The name without its folder, such as "reader.js".
  const char *_Nonnull name;
  // UTF-8 that ends with NUL.
  const char *_Nonnull text;
};

int preview_page_file_count(void);

// Returns the file at a place that is 0 or more, and less than the count.
struct preview_page_file preview_page_file(int place);
