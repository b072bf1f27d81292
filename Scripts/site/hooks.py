"""What MkDocs asks for while it builds the site: the navigation, the pages, and the files that pages link to.

A link in docs/ may lead to any file of the repository. Such a file becomes a page below project/: a Markdown file as it
is, another file with colours, and a folder as a list of its files. A link to a `.docc` folder leads to the page of its
library below api/, which Scripts/build-site.sh adds.
"""

import pathlib
import posixpath
import re
import shutil
import subprocess
from urllib.parse import unquote, urlsplit

import yaml
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel
from mkdocs.structure.toc import get_toc
from mkdocs.utils import get_relative_url
from pages import Page

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = {".yml": "yaml", ".yaml": "yaml", ".swift": "swift", ".py": "python", ".sh": "sh", ".json": "json",
             ".md": "markdown", ".vcl": "c"}


def site_path(path):
    """The place in the site of a file or folder of the repository."""
    catalog = re.fullmatch(r"Sources/(\w+)/\1\.docc", path)
    if catalog:
        return f"api/documentation/{catalog[1].lower()}/"
    if (ROOT / path).is_dir():
        path = posixpath.normpath(path + "/index.md")
    elif posixpath.basename(path) == "README.md":
        path = posixpath.join(posixpath.dirname(path), "index.md")
    elif not path.endswith(".md") and not path.startswith("docs/"):
        path += ".md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    # Some file servers hide files whose names begin with a dot.
    return "project/" + re.sub(r"(^|/)\.", r"\1dot-", path)


class Site:
    """The pages, by their paths in the repository."""

    def __init__(self):
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
            capture_output=True, text=True).stdout.splitlines()
        self.tracked = [name for name in listed if (ROOT / name).exists()]
        self.folders = {str(parent) for name in self.tracked for parent in pathlib.PurePath(name).parents}
        self.pages, self.folder_of, self.generated = {}, {}, {}
        self.navigation = yaml.safe_load((ROOT / "Scripts/site/navigation.yml").read_text(encoding="utf-8"))
        for name in self.tracked:
            if name.startswith("docs/") and name.endswith(".md"):
                self.add(name, (ROOT / name).read_text(encoding="utf-8"))
        for section in self.navigation["sections"]:
            if "folder" in section:
                self.add_section(section)
        waiting = list(self.pages)
        while waiting:
            name = waiting.pop()
            for link in self.pages[name].links():
                target = self.target(name, link)
                if target and not target.startswith("docs/"):
                    waiting += self.add_linked(target)

    def add(self, name, text, folder=None):
        """Adds a page, whose links start at `folder`."""
        self.pages[name] = Page(text)
        self.folder_of[name] = posixpath.dirname(name) if folder is None else folder
        source = site_path(name)
        if not (name.startswith("docs/") and (ROOT / name).is_file()):
            self.generated[source] = name
        return [name]

    def add_section(self, section):
        """Finds the pages of a section."""
        folder = section["folder"]
        index = f"{folder}/index.md"
        first = [posixpath.normpath(f"{folder}/{name}") for name in section.get("first", [])]
        for name in first:
            if name not in self.tracked:
                raise PluginError(f"Scripts/site/navigation.yml: no page {name}")
            if name not in self.pages:
                self.add(name, (ROOT / name).read_text(encoding="utf-8"))
        elsewhere = {index, *first, *(other["page"] for other in self.navigation["sections"] if "page" in other)}
        others = sorted((name for name in self.pages if posixpath.dirname(name) == folder and name not in elsewhere), key=self.title)
        has_index = folder != "docs" and index in self.pages
        if has_index:
            linked = [self.target(index, link) for link in self.pages[index].links()]
            unlinked = [name for name in [*first, *others] if name not in linked]
            if unlinked:
                raise PluginError(f"{index} has no link to {', '.join(unlinked)}")
            others.sort(key=linked.index)
        section["pages"] = [*([index] if has_index else []), *first, *others]

    def add_linked(self, target):
        """Adds the page of a file or folder outside docs/, and returns the new pages."""
        if target in self.pages or site_path(target).startswith("api/"):
            return []
        readme = posixpath.normpath(f"{target}/README.md")
        if readme in self.tracked:
            # The site shows it in the folder's place.
            return self.add_linked(readme)
        if target in self.folders:
            inside = [name for name in self.tracked if name.startswith(target + "/")]
            lines = [f"- [{escaped(name.removeprefix(target + '/'))}]({name.removeprefix(target + '/')})" for name in inside]
            added = [page for name in inside for page in self.add_linked(name)]
            return added + self.add(target, f"# {escaped(target)}\n\nThe files of this folder.\n\n" + "\n".join(lines), folder=target)
        text = (ROOT / target).read_text(encoding="utf-8")
        if target.endswith(".md"):
            return self.add(target, text)
        ticks = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
        name = posixpath.basename(target)
        language = LANGUAGES.get(posixpath.splitext(name)[1]) or {"Dockerfile": "docker", "Makefile": "make"}.get(name, "text")
        return self.add(target, f'# {escaped(name)}\n\n`{target}`\n\n{ticks}{language}\n{text}\n{ticks}\n')

    def title(self, name):
        return self.navigation["titles"].get(name) or self.pages[name].title

    def target(self, name, link):
        """The path in the repository that a page links to; `None` for an address elsewhere, or in the page itself."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or not parts.path:
            return None
        target = posixpath.normpath(posixpath.join(self.folder_of[name], unquote(parts.path)))
        if target not in self.pages and target not in self.tracked and target not in self.folders:
            raise PluginError(f"{name}: no file {link}")
        return target

    def address(self, name, link):
        """The address for a link of a page, from that page."""
        target = self.target(name, link)
        if target is None:
            return link
        readme = posixpath.normpath(f"{target}/README.md")
        to = self.url(readme if readme in self.pages else target)
        return get_relative_url(to, self.url(name)) + (f"#{urlsplit(link).fragment}" if urlsplit(link).fragment else "")

    @staticmethod
    def url(name):
        return re.sub(r"\.md$", ".html", site_path(name))

    def nav(self):
        """The navigation as MkDocs reads it."""
        nav = []
        for section in self.navigation["sections"]:
            if "page" in section:
                nav.append({section["title"]: site_path(section["page"])})
                continue
            # The theme shows a page without a title in the navigation as that of the section.
            nav.append({section["title"]: [site_path(name) if name.endswith("/index.md") else {self.title(name): site_path(name)}
                                           for name in section["pages"]]})
        return nav

    def refuse_homeless(self):
        """Fails for a page of docs/ that the navigation does not show, and for a title of no page."""
        shown = {name for section in self.navigation["sections"] for name in [section.get("page"), *section.get("pages", [])]}
        unknown = sorted(name for name in self.navigation["titles"] if name not in self.pages)
        if unknown:
            raise PluginError(f"Scripts/site/navigation.yml: no page {', '.join(unknown)}")
        homeless = sorted(name for name in self.pages if name.startswith("docs/") and name not in shown)
        if homeless:
            raise PluginError(f"Scripts/site/navigation.yml has no section for {', '.join(homeless)}")


def escaped(text):
    """Text as Markdown that means only itself."""
    return re.sub(r"([\\`*_\[\]<>])", r"\\\1", text)


site = None


def on_files(files, config):
    global site
    site = Site()
    site.refuse_homeless()
    for source in site.generated:
        # The content is not read: on_page_markdown has the page.
        files.append(File.generated(config, source, content="", inclusion=InclusionLevel.NOT_IN_NAV))
    config.nav = site.nav()
    # Their addresses would be those of one server.
    config.theme.static_templates -= {"404.html", "sitemap.xml"}
    return files


def name_of(page):
    """The path in the repository of a page."""
    return site.generated.get(page.file.src_uri) or "docs/" + page.file.src_uri


def on_page_markdown(_markdown, page, config, files):
    if name_of(page) not in site.pages:
        raise PluginError(f"{name_of(page)} is not tracked by git")
    shown = site.pages[name_of(page)]
    page.meta["title"] = shown.title
    page.meta["description"] = shown.summary[:200]
    if name_of(page) == "docs/index.md":
        page.meta["hide"] = ["navigation", "toc"]
    return ""


def on_page_content(_html, page, config, files):
    name = name_of(page)
    page.toc = get_toc(site.pages[name].contents())
    return site.pages[name].html(lambda link: site.address(name, link))


def on_post_page(output, page, config):
    """Gives names to parts of the theme that a screen reader announces without one."""
    output, count = re.subn(r'(<div class="md-search"[^>]* role="dialog")', r'\1 aria-label="Search"', output)
    if count != 1:
        raise PluginError("the theme's search has changed: see on_post_page")
    # The label that the theme refers to is an icon; the title of the section follows.
    return re.sub(
        r'aria-labelledby="__nav_\w+_label"([^>]*>\s*<label class="md-nav__title"[^>]*>\s*<span[^>]*></span>)\s*([^<]*?)\s*</label>',
        r'aria-label="\2"\1\2</label>', output)


def on_post_build(config):
    """Adds the pages of the libraries, with addresses that work below any path of a server."""
    source, api = ROOT / config.extra["api"], pathlib.Path(config.site_dir, "api")
    if not (source / "documentation").is_dir():
        raise PluginError(f"{config.extra['api']} has no pages of the libraries: run 'make docs'")
    shutil.copytree(source, api)
    # DocC draws nothing at the root of an archive, and asks for settings.
    (api / "index.html").unlink()
    (api / "theme-settings.json").write_text("{}\n", encoding="utf-8")
    for file in api.rglob("*.html"):
        up = "../" * (len(file.relative_to(api).parts) - 1)
        text = file.read_text(encoding="utf-8")
        text = re.sub(r'\b(src|href)="/(?!/)', rf'\1="{up}', text)
        text, count = re.subn(r'var baseUrl = "/"', f'var baseUrl = new URL("{up}", location.href).pathname', text)
        if count != 1:
            raise PluginError(f"{file} does not set its base address as expected: see on_post_build")
        file.write_text(text, encoding="utf-8")
