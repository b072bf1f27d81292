extension Page {
  /// The page from the files of the folder `Page`, which the package embeds in the executable.
  static let bundled = Page(
    index: String(decoding: PackageResources.index_html, as: UTF8.self),
    files: files.mapValues { String(decoding: $0, as: UTF8.self) })

  /// The files that `index.html` has placeholders for.
  // String keys: names of our own files
  private static let files: [String: [UInt8]] = [
    "api.js": PackageResources.api_js,
    "contents.js": PackageResources.contents_js,
    "differences.js": PackageResources.differences_js,
    "dom.js": PackageResources.dom_js,
    "draw-assets.js": PackageResources.draw_assets_js,
    "draw-fields.js": PackageResources.draw_fields_js,
    "draw-flow.js": PackageResources.draw_flow_js,
    "draw-list.js": PackageResources.draw_list_js,
    "draw-screen.js": PackageResources.draw_screen_js,
    "drawing.js": PackageResources.drawing_js,
    "frame.css": PackageResources.frame_css,
    "frame.js": PackageResources.frame_js,
    "help.js": PackageResources.help_js,
    "inspector.js": PackageResources.inspector_js,
    "instant-picker.js": PackageResources.instant_picker_js,
    "interruption.js": PackageResources.interruption_js,
    "live-watch.js": PackageResources.live_watch_js,
    "main.js": PackageResources.main_js,
    "news.js": PackageResources.news_js,
    "notices.js": PackageResources.notices_js,
    "page.css": PackageResources.page_css,
    "panel-changes.js": PackageResources.panel_changes_js,
    "panel-coverage.js": PackageResources.panel_coverage_js,
    "panel-preview.js": PackageResources.panel_preview_js,
    "panel-problems.js": PackageResources.panel_problems_js,
    "panel-schedule.js": PackageResources.panel_schedule_js,
    "panel-sizes.js": PackageResources.panel_sizes_js,
    "panels.css": PackageResources.panels_css,
    "phone.js": PackageResources.phone_js,
    "picker.js": PackageResources.picker_js,
    "places.js": PackageResources.places_js,
    "plist-binary.js": PackageResources.plist_binary_js,
    "plist-text.js": PackageResources.plist_text_js,
    "pseudo.js": PackageResources.pseudo_js,
    "reader.js": PackageResources.reader_js,
    "session.js": PackageResources.session_js,
    "sha256.js": PackageResources.sha256_js,
    "side-switch.js": PackageResources.side_switch_js,
    "switches.js": PackageResources.switches_js,
    "view.js": PackageResources.view_js,
  ]
}
