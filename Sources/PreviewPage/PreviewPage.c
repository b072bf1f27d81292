// The files of the page, embedded by the C compiler. SwiftPM would make Swift literals of their
// 390,000 bytes, which take half a minute to compile.

#include "PreviewPage.h"

// Each file has a NUL after its last byte.
static const struct preview_page_file files[] = {
    {"index.html", (const char[]){
#embed "Page/index.html" suffix(, 0)
     }},
    {"help.js", (const char[]){
#embed "Page/Controls/help.js" suffix(, 0)
     }},
    {"instant-picker.js", (const char[]){
#embed "Page/Controls/instant-picker.js" suffix(, 0)
     }},
    {"notices.js", (const char[]){
#embed "Page/Controls/notices.js" suffix(, 0)
     }},
    {"phone.js", (const char[]){
#embed "Page/Controls/phone.js" suffix(, 0)
     }},
    {"picker.js", (const char[]){
#embed "Page/Controls/picker.js" suffix(, 0)
     }},
    {"rollout-switch.js", (const char[]){
#embed "Page/Controls/rollout-switch.js" suffix(, 0)
     }},
    {"side-switch.js", (const char[]){
#embed "Page/Controls/side-switch.js" suffix(, 0)
     }},
    {"switches.js", (const char[]){
#embed "Page/Controls/switches.js" suffix(, 0)
     }},
    {"differences.js", (const char[]){
#embed "Page/Drawing/differences.js" suffix(, 0)
     }},
    {"draw-assets.js", (const char[]){
#embed "Page/Drawing/draw-assets.js" suffix(, 0)
     }},
    {"draw-fields.js", (const char[]){
#embed "Page/Drawing/draw-fields.js" suffix(, 0)
     }},
    {"draw-flow.js", (const char[]){
#embed "Page/Drawing/draw-flow.js" suffix(, 0)
     }},
    {"draw-list.js", (const char[]){
#embed "Page/Drawing/draw-list.js" suffix(, 0)
     }},
    {"draw-map.js", (const char[]){
#embed "Page/Drawing/draw-map.js" suffix(, 0)
     }},
    {"draw-markdown.js", (const char[]){
#embed "Page/Drawing/draw-markdown.js" suffix(, 0)
     }},
    {"draw-plural.js", (const char[]){
#embed "Page/Drawing/draw-plural.js" suffix(, 0)
     }},
    {"draw-screen.js", (const char[]){
#embed "Page/Drawing/draw-screen.js" suffix(, 0)
     }},
    {"drawing.js", (const char[]){
#embed "Page/Drawing/drawing.js" suffix(, 0)
     }},
    {"frame.js", (const char[]){
#embed "Page/Drawing/frame.js" suffix(, 0)
     }},
    {"interruption.js", (const char[]){
#embed "Page/Drawing/interruption.js" suffix(, 0)
     }},
    {"map-view.js", (const char[]){
#embed "Page/Drawing/map-view.js" suffix(, 0)
     }},
    {"placeholders.js", (const char[]){
#embed "Page/Drawing/placeholders.js" suffix(, 0)
     }},
    {"contents.js", (const char[]){
#embed "Page/Panels/contents.js" suffix(, 0)
     }},
    {"inspector.js", (const char[]){
#embed "Page/Panels/inspector.js" suffix(, 0)
     }},
    {"panel-changes.js", (const char[]){
#embed "Page/Panels/panel-changes.js" suffix(, 0)
     }},
    {"panel-coverage.js", (const char[]){
#embed "Page/Panels/panel-coverage.js" suffix(, 0)
     }},
    {"panel-preview.js", (const char[]){
#embed "Page/Panels/panel-preview.js" suffix(, 0)
     }},
    {"panel-problems.js", (const char[]){
#embed "Page/Panels/panel-problems.js" suffix(, 0)
     }},
    {"panel-schedule.js", (const char[]){
#embed "Page/Panels/panel-schedule.js" suffix(, 0)
     }},
    {"panel-sizes.js", (const char[]){
#embed "Page/Panels/panel-sizes.js" suffix(, 0)
     }},
    {"panel-translations.js", (const char[]){
#embed "Page/Panels/panel-translations.js" suffix(, 0)
     }},
    {"translation-files.js", (const char[]){
#embed "Page/Panels/translation-files.js" suffix(, 0)
     }},
    {"translation-list.js", (const char[]){
#embed "Page/Panels/translation-list.js" suffix(, 0)
     }},
    {"translation-row.js", (const char[]){
#embed "Page/Panels/translation-row.js" suffix(, 0)
     }},
    {"word-difference.js", (const char[]){
#embed "Page/Panels/word-difference.js" suffix(, 0)
     }},
    {"geography.js", (const char[]){
#embed "Page/Reader/geography.js" suffix(, 0)
     }},
    {"plist-binary.js", (const char[]){
#embed "Page/Reader/plist-binary.js" suffix(, 0)
     }},
    {"plist-text.js", (const char[]){
#embed "Page/Reader/plist-text.js" suffix(, 0)
     }},
    {"reader.js", (const char[]){
#embed "Page/Reader/reader.js" suffix(, 0)
     }},
    {"rollout.js", (const char[]){
#embed "Page/Reader/rollout.js" suffix(, 0)
     }},
    {"sha256.js", (const char[]){
#embed "Page/Reader/sha256.js" suffix(, 0)
     }},
    {"tiles.js", (const char[]){
#embed "Page/Reader/tiles.js" suffix(, 0)
     }},
    {"api.js", (const char[]){
#embed "Page/State/api.js" suffix(, 0)
     }},
    {"exported.js", (const char[]){
#embed "Page/State/exported.js" suffix(, 0)
     }},
    {"live-watch.js", (const char[]){
#embed "Page/State/live-watch.js" suffix(, 0)
     }},
    {"news.js", (const char[]){
#embed "Page/State/news.js" suffix(, 0)
     }},
    {"places.js", (const char[]){
#embed "Page/State/places.js" suffix(, 0)
     }},
    {"pseudo.js", (const char[]){
#embed "Page/State/pseudo.js" suffix(, 0)
     }},
    {"session.js", (const char[]){
#embed "Page/State/session.js" suffix(, 0)
     }},
    {"translations.js", (const char[]){
#embed "Page/State/translations.js" suffix(, 0)
     }},
    {"view.js", (const char[]){
#embed "Page/State/view.js" suffix(, 0)
     }},
    {"frame.css", (const char[]){
#embed "Page/Styles/frame.css" suffix(, 0)
     }},
    {"page.css", (const char[]){
#embed "Page/Styles/page.css" suffix(, 0)
     }},
    {"panels.css", (const char[]){
#embed "Page/Styles/panels.css" suffix(, 0)
     }},
    {"translations.css", (const char[]){
#embed "Page/Styles/translations.css" suffix(, 0)
     }},
    {"dom.js", (const char[]){
#embed "Page/dom.js" suffix(, 0)
     }},
    {"main.js", (const char[]){
#embed "Page/main.js" suffix(, 0)
     }},
};

int preview_page_file_count(void) {
  return sizeof files / sizeof files[0];
}

struct preview_page_file preview_page_file(int place) {
  return files[place];
}
