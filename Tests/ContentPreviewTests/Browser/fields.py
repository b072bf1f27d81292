"""The fields of an entry on a screen, and the words of the preview on it."""

# The fields for the look of an entry, which are not shown as words.
LOOK = {"background", "progress", "currency"}
LOOK_OF_ITEMS = {"id", "type", "align", "line", "fontStyle", "fontColor", "height", "color", "optional", "maxLength", "kind"}

LEAVES = """async ([id, locale]) => {
  const catalogue = await page.session.catalogue();
  const record = await catalogue.find(id);
  const leaves = [];
  const walk = (value, path) => {
    if (Array.isArray(value)) return value.forEach((item, place) => walk(item, itemPath(path, item, place)));
    if (isMapping(value)) return Object.entries(value).forEach(([name, one]) => walk(one, path ? `${path}.${name}` : name));
    return leaves.push([path, typeof value === 'object' ? '' : String(value)]);
  };
  if (record) walk(contentAt(record.content, Date.now(), () => {}), '');
  const frame = document.querySelector('.frame.primary');
  const drawn = [...frame.querySelectorAll('[data-path]')].filter((part) => part.dataset.entry === id).map((part) => part.dataset.path);
  // Targets of taps, and other entries that are drawn here: cards, and the form of a step.
  const leads = [...frame.querySelectorAll('[data-leads], [data-card], [data-entry]')].map(({ dataset }) => dataset.card ?? dataset.leads ?? dataset.entry).filter((lead) => lead !== id);
  return [leaves, drawn, leads];
}"""

WORDS = """() => {
  const body = document.querySelector('.frame.primary .frame-body');
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const words = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.trim() && !node.parentElement.closest('[data-path], .own, .own-button, .empty, .unseen, .fields dt')) words.push(node.data);
  }
  return words;
}"""


def hidden_fields(page, entry, locale, device="phone"):
    """The fields of an entry that its screen shows neither as a value, nor in its look, nor as the target of a tap."""
    page.evaluate("fragment => location.hash = fragment", f"#preview?locale={locale}&device={device}&show={entry}")
    page.wait_for_function("""([place, locale]) => {
      const { frame } = page.panel('preview');
      return frame.drawnPlace === place && frame.body.lang === locale && page.session.view.current.locale === locale;
    }""", arg=[entry, locale])
    leaves, drawn, leads = page.evaluate(LEAVES, [entry, locale])
    assert leaves, f"{entry} has no fields"
    return [path for path, value in leaves if not is_shown(path, value, set(drawn), set(leads))]


def is_shown(path, value, drawn, leads):
    if any(path == shown or path.startswith((f"{shown}.", f"{shown}[")) for shown in drawn):
        return True
    name = path.rsplit(".", 1)[-1]
    return value in leads or path in LOOK or ("[" in path and name in LOOK_OF_ITEMS)


def unmarked_words(page):
    """Words in the screen that are neither content nor marked as the preview's own."""
    return page.evaluate(WORDS)
