"""How Qt's own widgets look: one style sheet and one palette, both from the tokens."""

from __future__ import annotations

from string import Template

from PySide6.QtGui import QColor, QPalette

from hfviewer.core.resources import resource_path
from hfviewer.panels.tokens import Tokens

_SHEET = Template("""
QMainWindow, QDialog, QMessageBox { background: $bg0; }
QWidget { color: $t1; }
QMainWindow::separator { background: $bg0; width: 4px; height: 4px; }
QMainWindow::separator:hover { background: $accent; }
QToolTip { background: $bg3; color: $t1; border: 1px solid $line2; padding: 3px 6px; }

QMenuBar { background: $bg0; color: $t1; spacing: 2px; }
QMenuBar::item { background: transparent; padding: 5px 10px; border-radius: 5px; }
QMenuBar::item:selected { background: $bg3; }
QMenu { background: $bg1; color: $t1; border: 1px solid $line2; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: $accent_ground; color: $t1; }
QMenu::item:disabled { color: $t3; }
QMenu::separator { height: 1px; background: $line; margin: 4px 6px; }
QMenu::icon { padding-left: 6px; }

QToolBar { background: $bg2; border: none; spacing: 0; padding: 0; margin: 0; }
QToolBar::separator { background: $line2; width: 1px; margin: 14px 6px; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 3px; }
QToolButton:hover { background: $bg3; }
QToolButton:pressed { background: $bg4; }
QToolButton:checked { background: $accent_ground; border-color: $accent; color: $accent; }
QToolButton:disabled { color: $off; }
QToolButton:focus { border-color: $accent; }
QToolButton::menu-indicator { image: none; }

QPushButton { background: $bg3; border: 1px solid $line2; border-radius: 6px; padding: 5px 14px; }
QPushButton:hover { background: $bg4; }
QPushButton:pressed { background: $bg2; }
QPushButton:default { background: $accent; border-color: $accent; color: $on_accent; }
QPushButton:checked { background: $accent_ground; border-color: $accent; color: $accent; }
QPushButton:disabled { color: $t3; background: $bg2; border-color: $line; }
QPushButton:focus { border-color: $accent; }

QDockWidget { color: $t1; titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: $bg2; padding: 6px 8px; border-bottom: 1px solid $line; }
QWidget[docked="true"] { background: $bg1; }
QStatusBar { background: $bg2; color: $t2; border-top: 1px solid $line; }
QStatusBar::item { border: none; }
QFrame#card { background: $bg2; border: 1px solid $line2; border-radius: 6px; }
QStatusBar QLabel { color: $t2; }

QTabBar { background: $bg1; border: none; }
QTabBar::tab { background: transparent; color: $t2; padding: 6px 7px; border: none;
    border-top: 2px solid transparent; }
QTabBar::tab:hover { color: $t1; background: $bg3; }
QTabBar::tab:selected { color: $t1; background: $bg1; border-top: 2px solid $accent; font-weight: 600; }
QTabWidget::pane { border: none; border-top: 1px solid $line; background: $bg1; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit, QTextEdit, QTextBrowser {
    background: $bg0; color: $t1; border: 1px solid $line2; border-radius: 5px; padding: 3px 7px;
    selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus,
QPlainTextEdit:focus, QTextEdit:focus {
    border-color: $accent; }
QLineEdit:disabled, QSpinBox:disabled, QComboBox:disabled { color: $t3; background: $bg1; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url("$chevron"); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $bg1; border: 1px solid $line2; outline: none; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
    width: 0; border: none; }

QAbstractItemView { background: $bg1; alternate-background-color: $bg1; border: none; outline: none;
    selection-background-color: $accent_ground; selection-color: $t1; gridline-color: $line; }
QAbstractItemView::item { padding: 3px 6px; border: none; }
QAbstractItemView::item:hover { background: $bg3; }
QAbstractItemView::item:selected { background: $accent_ground; color: $t1; }
QHeaderView { background: $bg1; border: none; }
QHeaderView::section { background: $bg1; color: $t3; border: none; border-bottom: 1px solid $line;
    padding: 4px 6px; }
QTableCornerButton::section { background: $bg1; border: none; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $line2; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: $t3; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QCheckBox, QRadioButton { spacing: 6px; }
QCheckBox:disabled, QRadioButton:disabled { color: $t3; }
QGroupBox { border: 1px solid $line; border-radius: 6px; margin-top: 10px; padding-top: 6px; }
QGroupBox::title { subcontrol-origin: margin; left: 8px; padding: 0 4px; color: $t2; }
QProgressBar { background: $bg3; border: none; border-radius: 3px; height: 6px; text-align: center; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QSlider::groove:horizontal { height: 4px; background: $bg4; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { background: $t1; width: 12px; margin: -4px 0; border-radius: 6px; }
QSplitter::handle { background: $bg0; }
QSplitter::handle:hover { background: $accent; }
""")


def stylesheet(tokens: Tokens) -> str:
    """The application's style sheet, for the Fusion style."""
    colours = {
        name: value.name()
        for name in Tokens.__dataclass_fields__
        if isinstance(value := getattr(tokens, name), QColor)
    }
    # A style sheet cannot tint a picture: this one is a grey that reads on both grounds.
    return _SHEET.substitute(colours, chevron=resource_path("icons", "chevron-combo.svg").as_posix())


def qpalette(tokens: Tokens) -> QPalette:
    """The palette that goes with `stylesheet`."""
    palette = QPalette(tokens.bg3, tokens.bg0)
    role = QPalette.ColorRole
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled):
        enabled = group != QPalette.ColorGroup.Disabled
        text = tokens.t1 if enabled else tokens.t3
        for which, colour in (
            (role.Window, tokens.bg0),
            (role.WindowText, text),
            (role.Base, tokens.bg1),
            (role.AlternateBase, tokens.bg2),
            (role.Text, text),
            (role.PlaceholderText, tokens.t3),
            (role.Button, tokens.bg3),
            (role.ButtonText, text),
            (role.BrightText, tokens.error),
            (role.ToolTipBase, tokens.bg3),
            (role.ToolTipText, tokens.t1),
            (role.Highlight, tokens.accent if enabled else tokens.bg4),
            (role.HighlightedText, tokens.on_accent if enabled else tokens.t3),
            (role.Accent, tokens.accent),
            (role.Link, tokens.accent),
            (role.LinkVisited, tokens.accent),
            (role.Light, tokens.bg4),
            (role.Midlight, tokens.bg3),
            (role.Mid, tokens.line2),
            (role.Dark, tokens.line),
            (role.Shadow, tokens.picture if tokens.dark else tokens.line2),
        ):
            palette.setColor(group, which, colour)
    return palette
