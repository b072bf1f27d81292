#!/usr/bin/env python3
"""Writes the sound, film and other files of the museum's assets; needs the tests' own browser for the film."""

import base64
import math
import shutil
import struct
import wave
import zlib
from pathlib import Path

from playwright.sync_api import sync_playwright

ASSETS = Path(__file__).parent / "content/assets"
FILM = """async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
  const context = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm;codecs=vp8', videoBitsPerSecond: 20000 });
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.start();
  for (let i = 0; i < 8; i++) {
    context.fillStyle = `hsl(${i * 40} 60% 45%)`;
    context.fillRect(0, 0, 64, 48);
    await new Promise((go) => setTimeout(go, 100));
  }
  await new Promise((done) => { recorder.onstop = done; recorder.stop(); });
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}"""


def bell():
    with wave.open(str(ASSETS / "bell.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(bytes(128 + round(90 * math.exp(-i / 1200) * math.sin(2 * math.pi * 660 * i / 8000)) for i in range(4000)))


def thimble():
    rows = b"".join(b"\0" + b"".join(bytes([60, 120 + 2 * x, 100]) for x in range(48)) for _ in range(48))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 48, 48, 8, 2, 0, 0, 0)
    (ASSETS / "thimble.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def film():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"])
        (ASSETS / "loop.webm").write_bytes(base64.b64decode(browser.new_page().evaluate(FILM)))
        browser.close()


bell()
thimble()
film()
(ASSETS / "plan.pdf").write_bytes(b"%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
                                  b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
(ASSETS / "thimble.glb").write_bytes(b"glTF" + struct.pack("<II", 2, 12))
