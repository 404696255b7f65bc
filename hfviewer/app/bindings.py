"""The one table of what can be done from the keyboard; menus and the help page are made from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Binding:
    """One action.

    Args:
        action: stable name; the main window has a method for each.
        text: as menus and the help page say it.
        keys: any of them does it, in Qt's notation; none for actions of the menu only.
        group: menu and heading on the help page.
        repeats: holding the key repeats it.
        icon: of ``resources/icons``.
        family: the action that stands for this one on the help page.
    """

    action: str
    text: str
    keys: tuple[str, ...]
    group: str
    repeats: bool = False
    icon: str = ""
    family: str = ""


_DIGITS = tuple(
    Binding(f"label_{n}", "Label: hold, or tap twice", (str(n),), "Labels", family="label_1" if n > 1 else "")
    for n in range(1, 10)
)

BINDINGS: tuple[Binding, ...] = (
    Binding("open_file", "Open…", ("Ctrl+O",), "File", icon="open"),
    Binding("open_folder", "Open folder…", ("Ctrl+Shift+O",), "File", icon="folder"),
    Binding("save_picture", "Save picture of the window…", ("Ctrl+Shift+P",), "File"),
    Binding("close_recording", "Close recording", ("Ctrl+W",), "File"),
    Binding("quit", "Quit", ("Ctrl+Q",), "File"),
    Binding("toggle_play", "Play or pause", ("Space", "K"), "Playback", icon="play"),
    Binding("next_frame", "Next frame of the focused stream", ("Right", "."), "Playback", repeats=True),
    Binding(
        "previous_frame", "Previous frame of the focused stream", ("Left", ","), "Playback", repeats=True
    ),
    Binding("forward_second", "1 s forward", ("Shift+Right",), "Playback", repeats=True),
    Binding("back_second", "1 s back", ("Shift+Left",), "Playback", repeats=True),
    Binding("forward_ten", "10 s forward", ("Ctrl+Right",), "Playback", repeats=True),
    Binding("back_ten", "10 s back", ("Ctrl+Left",), "Playback", repeats=True),
    Binding("go_to_start", "To the start", ("Home",), "Playback"),
    Binding("go_to_end", "To the end", ("End",), "Playback"),
    Binding("play_reverse", "Play backwards, again: twice as fast", ("J",), "Playback"),
    Binding("play_forward", "Play forwards, again: twice as fast", ("L",), "Playback"),
    Binding("slower", "Speed − 10 %", ("[",), "Playback", repeats=True),
    Binding("faster", "Speed + 10 %", ("]",), "Playback", repeats=True),
    Binding("half_speed", "Half the speed", ("{",), "Playback"),
    Binding("double_speed", "Twice the speed", ("}",), "Playback"),
    Binding("normal_speed", "Normal speed", ("Backspace",), "Playback"),
    Binding("toggle_loop", "Loop", ("Ctrl+L",), "Playback", icon="loop"),
    Binding("go_to", "Go to time or frame…", ("G",), "Go"),
    Binding("jump_back", "Back to before the last jump", ("Shift+Backspace",), "Go"),
    Binding("next_window", "Next window", ("W",), "Go", repeats=True),
    Binding("previous_window", "Previous window", ("Shift+W",), "Go", repeats=True),
    Binding("focus_next", "Next stream into focus", ("Ctrl+Down",), "Go", repeats=True),
    Binding("focus_previous", "Previous stream into focus", ("Ctrl+Up",), "Go", repeats=True),
    Binding("set_in", "In point here", ("I",), "Go", icon="in"),
    Binding("set_out", "Out point here", ("O",), "Go", icon="out"),
    Binding("clear_range", "Clear in and out", ("X",), "Go"),
    *_DIGITS,
    Binding("mark_here", "Marker, of the label used last", ("M",), "Labels"),
    Binding("toggle_tap_mode", "Digits are held, or tapped twice", ("Y",), "Labels"),
    Binding("edit_note", "End a label, or write a note", ("Return", "Enter"), "Labels"),
    Binding("edit_answers", "Answer what it asks: key=value", ("Q",), "Labels"),
    Binding("cancel_label", "Cancel, or select nothing", ("Esc",), "Labels"),
    Binding("remove_label", "Remove", ("Del",), "Labels"),
    Binding("next_label", "Next label of the track", ("Tab",), "Labels", repeats=True),
    Binding("previous_label", "Previous label of the track", ("Shift+Tab",), "Labels", repeats=True),
    Binding("next_unreviewed", "Next one to review", ("U",), "Labels", repeats=True),
    Binding("next_status", "Draft, done, reviewed, rejected", ("Ctrl+Return",), "Labels"),
    Binding("split_label", "Split at the playhead", ("S",), "Labels"),
    Binding("merge_labels", "Merge with the next of its name", ("Ctrl+J",), "Labels"),
    Binding("label_gap", "Label the gap around the playhead", ("B",), "Labels"),
    Binding("nudge_later", "One frame later", ("Alt+Right",), "Labels", repeats=True),
    Binding("nudge_earlier", "One frame earlier", ("Alt+Left",), "Labels", repeats=True),
    Binding("nudge_start_later", "Its start a frame later", ("Alt+Shift+Right",), "Labels", repeats=True),
    Binding("nudge_start_earlier", "Its start a frame earlier", ("Alt+Shift+Left",), "Labels", repeats=True),
    Binding("nudge_end_later", "Its end a frame later", ("Ctrl+Alt+Right",), "Labels", repeats=True),
    Binding("nudge_end_earlier", "Its end a frame earlier", ("Ctrl+Alt+Left",), "Labels", repeats=True),
    Binding("play_label", "Play it round and round", ("P",), "Labels"),
    Binding("copy_labels", "Copy", ("Ctrl+C",), "Labels"),
    Binding("paste_labels", "Paste at the playhead", ("Ctrl+V",), "Labels"),
    Binding("select_track", "Select all of the track", ("Ctrl+A",), "Labels"),
    Binding("next_track", "Next track", ("Alt+Down",), "Labels", repeats=True),
    Binding("previous_track", "Previous track", ("Alt+Up",), "Labels", repeats=True),
    Binding("new_track", "New track…", ("Shift+N",), "Labels"),
    Binding("new_label", "New label…", ("N",), "Labels"),
    Binding("toggle_labels", "Show or hide the list", ("Ctrl+Shift+L",), "Labels"),
    Binding("compare_authors", "Compare two authors, or show all", ("Ctrl+Shift+A",), "Labels"),
    Binding("set_author", "Who the labels are by…", (), "Labels"),
    Binding("set_reaction", "Reaction time…", (), "Labels"),
    Binding("import_labels", "Import…", (), "Labels"),
    Binding("export_labels", "Export…", (), "Labels"),
    Binding("undo_label", "Undo", ("Ctrl+Z",), "Labels", repeats=True, icon="undo"),
    Binding("redo_label", "Redo", ("Ctrl+Shift+Z",), "Labels", repeats=True, icon="redo"),
    Binding("save_labels", "Save the labels now", ("Ctrl+S",), "Labels", icon="save"),
    Binding("finish_episode", "Save, on to the next episode", ("Shift+Return",), "Labels"),
    Binding("next_unlabelled", "Save, on to the next episode without labels", ("Shift+U",), "Labels"),
    Binding("show_label_progress", "How far the folder is labelled", ("Ctrl+U",), "Labels"),
    Binding("next_episode", "Next episode", ("Ctrl+PgDown",), "Episodes", repeats=True),
    Binding("previous_episode", "Previous episode", ("Ctrl+PgUp",), "Episodes", repeats=True),
    Binding("show_episodes", "Into the list of episodes", ("Ctrl+E",), "Episodes"),
    Binding("filter_episodes", "Filter the episodes", ("Ctrl+Shift+E",), "Episodes", icon="filter"),
    Binding("refresh_episodes", "Look for new episodes", ("F5",), "Episodes"),
    Binding(
        "toggle_same_time", "Open the next one at the same elapsed time, or at its start", (), "Episodes"
    ),
    Binding("next_gap", "Next gap of the lanes shown", ("Alt+PgDown",), "Timeline", repeats=True),
    Binding("previous_gap", "Previous gap of the lanes shown", ("Alt+PgUp",), "Timeline", repeats=True),
    Binding("zoom_in", "Zoom in", ("+", "="), "Timeline", repeats=True),
    Binding("zoom_out", "Zoom out", ("-",), "Timeline", repeats=True),
    Binding("fit_timeline", "Show the whole recording", ("Ctrl+0",), "Timeline"),
    Binding("page_forward", "Move the view on", ("PgDown",), "Timeline", repeats=True),
    Binding("page_back", "Move the view back", ("PgUp",), "Timeline", repeats=True),
    Binding("toggle_snap", "Snap to frames of the focused stream", ("Shift+S",), "Timeline", icon="snap"),
    Binding("next_time_mode", "Times: elapsed, UTC, local, nanoseconds", ("Shift+T",), "Timeline"),
    Binding("move_lane_up", "Move the focused lane up", ("Ctrl+Shift+Up",), "Timeline", repeats=True),
    Binding("move_lane_down", "Move the focused lane down", ("Ctrl+Shift+Down",), "Timeline", repeats=True),
    Binding("hide_lane", "Hide the focused lane", ("H",), "Timeline"),
    Binding("show_all_lanes", "Show all lanes", ("Shift+H",), "Timeline"),
    Binding("group_lanes", "Group lanes by kind, or as they were", ("Ctrl+Shift+G",), "Timeline"),
    Binding("higher_lanes", "Higher lanes", ("Alt++", "Alt+="), "Timeline", repeats=True),
    Binding("lower_lanes", "Lower lanes", ("Alt+-",), "Timeline", repeats=True),
    Binding("next_finding", "Next finding", ("F8",), "Check", repeats=True),
    Binding("previous_finding", "Previous finding", ("Shift+F8",), "Check", repeats=True),
    Binding("next_bad_episode", "Next episode with findings", ("F9",), "Check", repeats=True),
    Binding("previous_bad_episode", "Previous episode with findings", ("Shift+F9",), "Check", repeats=True),
    Binding("accept_finding", "Accept the chosen finding with a note, or no longer", ("A",), "Check"),
    Binding("label_finding", "Turn the chosen finding into a label", ("T",), "Check"),
    Binding("filter_findings", "Filter the findings", ("Ctrl+F",), "Check"),
    Binding("copy_findings", "Copy the findings that are listed as text", ("Ctrl+Shift+C",), "Check"),
    Binding("show_timing", "Timing of the focused stream: intervals, jitter, sync", ("Ctrl+T",), "Check"),
    Binding("deep_check", "Check every frame by decoding it, or stop doing so", ("Ctrl+D",), "Check"),
    Binding("toggle_findings", "Show or hide the findings", ("Ctrl+F8",), "Check"),
    Binding("maximise_panel", "Maximise the focused panel, or put it back", ("F",), "View", icon="maximize"),
    Binding("float_panel", "Float the focused panel, or dock it", (), "View"),
    Binding("close_panel", "Close the focused panel", (), "View"),
    Binding("reset_view", "Reset the focused panel's view", ("R",), "View"),
    Binding("another_panel", "Another panel of the focused stream", (), "View"),
    Binding("copy_panel_picture", "Copy the focused panel's picture", ("Ctrl+Alt+C",), "View"),
    Binding("save_panel_picture", "Save the focused panel's picture as it is seen…", ("Ctrl+Alt+S",), "View"),
    Binding("reset_layout", "Reset the layout", (), "View"),
    Binding("toggle_theme", "Light or dark", (), "View"),
    Binding("toggle_statistics", "What this viewer manages", ("F12",), "View"),
    Binding("toggle_full_screen", "Full screen", ("F11",), "View"),
    Binding("show_keys", "Keys", ("F1",), "Help"),
    Binding("show_about", "About hfviewer", (), "Help"),
)


def duplicate_keys() -> set[str]:
    """Keys that two actions claim; must be empty."""
    seen: set[str] = set()
    twice: set[str] = set()
    for binding in BINDINGS:
        for key in binding.keys:
            (twice if key in seen else seen).add(key)
    return twice
