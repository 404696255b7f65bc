from pathlib import Path

import pytest

from hfviewer.convert.registry import IMPORTERS, importer_of, plan_conversion
from hfviewer.core.errors import ConversionError
from tests.convert.layouts import make_comma2k19, make_euroc, make_kitti, make_seven_scenes, make_tum, write


def test_every_layout_is_known_from_its_own_folder_or_one_around_it(tmp_path: Path) -> None:
    made = {
        "kitti": make_kitti(tmp_path / "a" / "2011_09_26" / "2011_09_26_drive_0001_sync"),
        "euroc": make_euroc(tmp_path / "b" / "MH_01" / "mav0"),
        "comma2k19": make_comma2k19(tmp_path / "c" / "route" / "40"),
        "7scenes": make_seven_scenes(tmp_path / "d" / "kitchen" / "rgbd-frames"),
        "tum": make_tum(tmp_path / "e" / "x" / "freiburg1"),
        "text_tables": write(tmp_path / "f" / "x" / "y" / "imu.csv", "time,ax\n1,2\n").parent,
    }
    assert set(made) == {importer.name for importer in IMPORTERS}
    for name, folder in made.items():
        for path in (folder, folder.parent, folder.parent.parent):
            assert plan_conversion(path).layout == name


def test_a_title_says_more_than_the_name_of_a_standard_folder(tmp_path: Path) -> None:
    titles = [
        plan_conversion(folder).title
        for folder in (
            make_euroc(tmp_path / "MH_01" / "mav0"),
            make_comma2k19(tmp_path / "route" / "40"),
            make_seven_scenes(tmp_path / "kitchen" / "rgbd-frames"),
            make_kitti(tmp_path / "drive_0001_sync"),
        )
    ]
    assert titles == ["MH_01", "route/40", "kitchen", "drive_0001_sync"]


def test_an_unknown_folder_is_an_error_that_lists_the_known_layouts(tmp_path: Path) -> None:
    write(tmp_path / "notes.txt", "hello\n")
    with pytest.raises(ConversionError) as caught:
        plan_conversion(tmp_path)
    assert all(importer.layout in caught.value.remedy for importer in IMPORTERS)
    assert importer_of(tmp_path) is None


def test_several_sequences_are_a_choice_for_the_person(tmp_path: Path) -> None:
    make_seven_scenes(tmp_path / "seq-01")
    make_seven_scenes(tmp_path / "seq-02")
    with pytest.raises(ConversionError, match=r"2 folders .* seq-01, seq-02"):
        plan_conversion(tmp_path)


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match="no such"):
        plan_conversion(tmp_path / "none")
