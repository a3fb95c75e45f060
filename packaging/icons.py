"""Draws Daybank's icon from its SVG: PNG files for Linux, .ico for Windows, .icns for macOS.

    python packaging/icons.py FOLDER        PNG files in the folders of an icon theme (hicolor)

Needs PySide6, which every build has. The same SVG gives the same bytes.
"""

from __future__ import annotations

import os
import shutil
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SVG = ROOT / "resources/icons/daybank.svg"
LINUX_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
ICNS_KINDS = {b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic13": 256, b"ic08": 256, b"ic09": 512}


def png(svg: Path, side: int) -> bytes:
    """The picture, ``side`` pixels wide and high."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication.instance() or QGuiApplication([])
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):
        raise RuntimeError(f"{svg} could not be drawn")
    del application
    return bytes(data.data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """An .ico of PNG pictures by their side. 256 is written as 0 there."""
    head = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)
    entries = b""
    for side, picture in pictures.items():
        entries += struct.pack(
            "<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(picture), offset
        )
        offset += len(picture)
    return head + entries + b"".join(pictures.values())


def icns(pictures: dict[bytes, bytes]) -> bytes:
    """An .icns of PNG pictures by Apple's four letters for their size."""
    body = b"".join(
        kind + struct.pack(">I", len(picture) + 8) + picture for kind, picture in pictures.items()
    )
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def write_icon_file(svg: Path, place: Path) -> None:
    """``place`` ends with .ico or .icns."""
    if place.suffix == ".ico":
        place.write_bytes(ico({side: png(svg, side) for side in ICO_SIZES}))
    else:
        place.write_bytes(icns({kind: png(svg, side) for kind, side in ICNS_KINDS.items()}))


def write_theme(svg: Path, folder: Path) -> None:
    """The files of an icon theme: ``16x16/apps/daybank.png`` and so on, and the SVG itself."""
    for side in LINUX_SIZES:
        place = folder / f"{side}x{side}/apps/daybank.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(png(svg, side))
    scalable = folder / "scalable/apps/daybank.svg"
    scalable.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(svg, scalable)


if __name__ == "__main__":
    write_theme(SVG, Path(sys.argv[1]))
