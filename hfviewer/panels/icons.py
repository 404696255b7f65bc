"""Icons: our own SVG files, tinted with a token's colour when they are drawn."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from hfviewer.core.resources import resource_path
from hfviewer.panels.drawing import painting


def icon_pixmap(name: str, colour: QColor, size: int = 16, ratio: float | None = None) -> QPixmap:
    """An icon in one colour.

    Kept in Qt's own pixmap cache, which is bounded and goes away with the application.

    Args:
        name: of a file in ``resources/icons``, without suffix. An unknown name gives an empty picture.
        colour: takes the place of ``currentColor``.
        size: edge in device-independent pixels.
        ratio: device pixels per such pixel; None: that of the screen.
    """
    if ratio is None:
        screen = QGuiApplication.primaryScreen()
        ratio = screen.devicePixelRatio() if screen is not None else 1.0
    key = f"hfviewer/{name}/{colour.name(QColor.NameFormat.HexArgb)}/{size}/{ratio:g}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    edge = max(1, round(size * ratio))
    pixmap = QPixmap(edge, edge)
    pixmap.fill(Qt.GlobalColor.transparent)
    renderer = QSvgRenderer(QByteArray(_tinted(name, colour)))
    if renderer.isValid():
        with painting(pixmap) as painter:
            painter.setOpacity(colour.alphaF())
            renderer.render(painter, QRectF(0, 0, edge, edge))
    pixmap.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, pixmap)
    return pixmap


def icon(name: str, colour: QColor, size: int = 16, *, disabled: QColor | None = None) -> QIcon:
    """The same as a `QIcon`.

    Args:
        name: as in `icon_pixmap`.
        colour: while enabled.
        size: edge in device-independent pixels.
        disabled: colour while disabled (the token ``off``); None leaves it to Qt.
    """
    made = QIcon(icon_pixmap(name, colour, size))
    if disabled is not None:
        made.addPixmap(icon_pixmap(name, disabled, size), QIcon.Mode.Disabled)
    return made


def _tinted(name: str, colour: QColor) -> bytes:
    try:
        source = resource_path("icons", f"{name}.svg").read_bytes()
    except OSError:
        return b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"/>'
    return source.replace(b"currentColor", colour.name(QColor.NameFormat.HexRgb).encode())
