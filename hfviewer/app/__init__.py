"""The main window, its actions, settings and dialogs."""
