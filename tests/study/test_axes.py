from sfumato.study.axes import default_loss, default_risk, of_outliers


def test_a_measure_that_is_taken_with_several_parameters_can_be_an_axis() -> None:
    symbols = [
        "WCL[columns=role(key)]",
        "WCB[columns=role(key)]",
        "WCL[columns=linkable]",
        "UV[columns=role(key)]",
        "UV",
    ]
    assert default_risk(symbols) == "WCL[columns=role(key)]"
    assert default_loss(symbols) == "UV[columns=role(key)]"


def test_the_figures_of_outliers_are_no_axis_of_a_map_of_all_records() -> None:
    symbols = ["WCL[window=5]_outliers", "IL1s_outliers"]
    assert default_risk(symbols) is None
    assert default_loss(symbols) is None
    assert of_outliers("WCL[window=5]", ["WCL[window=5]", *symbols]) == "WCL[window=5]_outliers"
