from hfviewer.convert.source import KEPT_NAMES, Problem, ProblemLog


def test_many_files_with_one_problem_are_one_line_with_five_names_and_a_count() -> None:
    log = ProblemLog()
    for number in range(500):
        log.add("image_00", "missing", f"{number}.png")
    log.add("oxts", "It holds 3 values.", "0.txt")
    lines = [problem.line() for problem in log.problems()]
    assert lines == [
        "image_00: missing: 0.png, 1.png, 2.png, 3.png, 4.png and 495 more",
        "oxts: It holds 3 values: 0.txt",
    ]


def test_names_are_kept_up_to_a_bound_and_counted_beyond() -> None:
    log = ProblemLog()
    for number in range(KEPT_NAMES + 7):
        log.add("a", "missing", str(number))
    (problem,) = log.problems()
    assert (len(problem.names), problem.count) == (KEPT_NAMES, KEPT_NAMES + 7)


def test_a_log_goes_on_where_another_ended() -> None:
    log = ProblemLog()
    log.extend((Problem(stream="a", message="missing", names=("1",), count=1),))
    log.add("a", "missing", "2")
    assert [problem.names for problem in log.problems()] == [("1", "2")]
    assert Problem(stream="", message="is too large").line() == "is too large"
