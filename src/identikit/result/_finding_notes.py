"""Notes: what was decided or found along the way.

A row is a code, what it means, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Mapping

ROWS: Mapping[str, tuple[str, str]] = {
    "auto_did": (
        "What auto did: which method refined the estimate, and from which starting values.",
        "Nothing.",
    ),
    "second_opinion_agrees": (
        "A method that shares nothing with the first (no integration) finds the same parameters.",
        "Nothing.",
    ),
    "second_opinion_explained": (
        "A second method finds something else, and what is known of the two fits says why.",
        "Mind the reason; the first estimate stands.",
    ),
    "no_second_opinion": (
        "No second method applies to the problem, or it came to no estimate.",
        "Nothing; where it matters, compare methods by hand or measure another record.",
    ),
    "methods_agree": (
        "Methods that come to their values on other ways than the reference find the same within their intervals.",
        "Nothing: this speaks for the estimate.",
    ),
    "begins_at_rest": (
        "A record begins while friction holds the motion, so that its first velocity can hardly be told; it is taken "
        "as zero.",
        "Nothing, if the motion was at rest. If it was not, give the first velocity.",
    ),
    "profile_bent": (
        "An end of the interval lies elsewhere than the curvature of the likelihood says, by more than a fifth.",
        "Nothing: the profile's interval holds. Quote both ends, not a standard error.",
    ),
    "parameter_drifts": (
        "A parameter was let drift; its curve with a band stands among the artifacts.",
        "Look at the curve: if it changes by less than its band, a constant will do.",
    ),
    "process_noise": (
        "Something that is not among the inputs moves a state, as noise on its rate: wind, shocks, an unmodelled "
        "drive.",
        "Nothing, if that is so; parameters and intervals count with it. If it should not be, a term is missing.",
    ),
    "goal_reached": (
        "The planned experiment reaches the wanted standard errors.",
        "Make it; with fewer samples, as far as the text says, it would still do.",
    ),
    "would_help": (
        "What would bring the standard errors of a planned experiment down: a known value, a sensor, less noise.",
        "Choose what is easiest to have, say so, and plan again.",
    ),
    "limits_assumed": (
        "No limits were given for the beginning of a run, so what the present one reaches was taken.",
        "Say how far each initial state, setting and input may go: a larger motion usually tells more.",
    ),
    "input_not_planned": (
        "The fit had a measured input, which a plan cannot repeat; the input's usual value was planned with.",
        "Give the input as an expression of time, or limits within which one is to be chosen.",
    ),
    "noise_planned_constant": (
        "The noise of the fit follows the value (log-normal) or a column of standard deviations; the plan takes one "
        "standard deviation for all samples, the rms of the fit's residuals.",
        "Expected standard errors are rough: give the noise where it matters most, and compare.",
    ),
    "column_guessed": (
        "No column is named like the output, so the only one that continues its name was taken.",
        "Name the column if another one was meant.",
    ),
    "unit_from_name": (
        "A column's header states no unit, but its name ends in one, as theta_deg does.",
        "Say the unit if another one was meant.",
    ),
    "column_computed": (
        "An output or input was computed from columns of the file by the given expression.",
        "Check the unit that the result was taken in.",
    ),
    "angle_unwrapped": (
        "An angle jumps by a full turn where the range of its sensor ends, and was made continuous.",
        "Nothing; or switch it off, if the model means the angle with its jumps.",
    ),
    "time_from_stamps": (
        "The time column holds dates, times of day or times since 1970; the time is counted from the first one.",
        "Nothing: times in messages and in what is trimmed are seconds from the start.",
    ),
    "decimal_comma": (
        "The numbers of the file are written with decimal commas.",
        "Say what the decimal mark is if the comma is none.",
    ),
    "title_skipped": (
        "Lines above the header hold no separator and were taken for titles.",
        "Nothing; or begin such lines with #.",
    ),
    "long_table": (
        "The file has one row per time and quantity; each quantity became a column.",
        "Nothing.",
    ),
    "time_without_unit": (
        "The time column states no unit, so the model's own unit of time was assumed.",
        "Write the unit into the header, t[ms], or say it.",
    ),
    "gap": (
        "A stretch without samples, more than ten times as long as the usual spacing.",
        "Methods that integrate bridge it; smoothing methods know nothing in it. Cut the record there if the system "
        "was touched meanwhile.",
    ),
    "samples_lost": (
        "Some steps in time are whole multiples of the usual one: the logger lost samples.",
        "Nothing: methods take times as they are.",
    ),
    "command_like": (
        "A column is made of steps, as a command, an input or a mode is.",
        "Give it as an input of the model, held between its changes.",
    ),
    "runs_marked": (
        "A column numbers parts of the file.",
        "Name it as the column of segments, if the parts are runs of their own.",
    ),
    "slow_column": (
        "A column keeps each value for several samples: its sensor is slower than the log.",
        "Keep one row per new value, so that repeated values do not count as measurements.",
    ),
    "column_without_values": (
        "A column is empty, or has one value throughout.",
        "Nothing can be learnt from it; check the sensor if that is a surprise.",
    ),
    "column_repeated": (
        "Two columns hold the same values.",
        "Use one of them: as two measurements they would count twice.",
    ),
    "column_unreadable": (
        "A column holds something that is no number.",
        "Correct the file if the column is needed.",
    ),
    "hold_chosen": (
        "How sampled inputs go on between their samples, as the residuals of the fit tell, and how much depends on it.",
        "Nothing; or say it, if you know it.",
    ),
    "input_edges": (
        "The record reaches beyond the first or last sample of an input by less than the usual spacing of its samples; "
        "these few samples were left out.",
        "Nothing.",
    ),
    "input_bridged": (
        "Single samples are missing in an input, or it was recorded only now and then, and it was taken to go on from "
        "one sample to the next.",
        "Nothing, if that is how it went on.",
    ),
    "better_looked_for": (
        "The fit leaves more than the record's own noise, so that it may be a wrong minimum: other starts were tried, "
        "as many as the budget allows, and this is the best of their ends.",
        "Doubt the model first; if it is right, give starting values.",
    ),
    "errors_from_twins": (
        "The method's own standard errors hold for white noise and dense samples; this record is different, so they "
        "were found by running the method on simulated records like it.",
        "Nothing; compare with `shooting`.",
    ),
    "bias_corrected": (
        "The method is biased on records like this one, by as much as the text says; the estimate was moved by that.",
        "Compare with `shooting`, which has no such bias.",
    ),
    "terms_alike": (
        "On this record some candidate terms are nearly combinations of others, as 1, x^2 and cos x are for small x.",
        "Nothing; a law with another of them may follow the record nearly as well.",
    ),
    "search_cut_off": (
        "Not all subsets of a large library could be ruled out.",
        "Choose a lower degree or fewer states to have it proven.",
    ),
    "degree_lowered": (
        "The record is worth too few independent equations for the usual degree of polynomials, so a lower one was "
        "taken.",
        "Measure longer or more densely, or ask for the degree.",
    ),
    "terms_left_out": (
        "The law that was found lacks terms of the model: their parameters are zero.",
        "Fit the model with them, if you know that they act.",
    ),
    "record_cut": (
        "Only a part of the record was used, since before and after it nothing moves above the noise.",
        "Nothing; or trim the record yourself.",
    ),
    "no_missing_term": (
        "The usual terms were tried, and none of them would explain what the model leaves over.",
        "Look at the residuals; the model may lack a state, or an input that was not measured.",
    ),
    "would_free": (
        "What would make every parameter identifiable by the equations: a known value, a known beginning, a sensor.",
        "Choose what is easiest to have.",
    ),
    "structure_not_analysed": (
        "Identifiability was judged by the record alone: the equations are a function, or too special.",
        "Nothing; give the model as text to learn what any record could tell.",
    ),
    "nothing_planned": (
        "Identifiability was judged by the equations alone: there is no record, no plan and no example experiment.",
        "Give duration, sampling, noise and the values that are expected.",
    ),
    "still_determined": (
        "Combinations of parameters that the record determines although it does not determine each of them.",
        "Quote the combination, or fix all but one of its parameters.",
    ),
    "noise_chosen": (
        "The noise is not white: it was taken as autoregressive or with outliers, as the residuals show it.",
        "Nothing; or name the noise if you know it.",
    ),
    "equivalent_explanation": (
        "Other values of the parameters give the very same motion, whatever the record: another sign, an exchange of "
        "two equal parts, whole turns of an angle. One of them is reported, always the same.",
        "Nothing; bounds that exclude the others silence it.",
    ),
    "balance_holds": (
        "The balance of energy is closed up to noise, whatever the trajectory does.",
        "Nothing: this speaks for the estimate.",
    ),
    "force_explained": (
        "The law explains the force that the record shows, whatever the trajectory does.",
        "Nothing: this speaks for the estimate.",
    ),
    "formula_found": (
        "A formula describes the learned term, and its trajectory the record, as well as the network does.",
        "Nothing; the model with that formula is in `discovered`.",
    ),
    "no_formula": (
        "No formula was found for the learned term, or none was sought.",
        "Look at the learned curve; the model with the network in it is in `discovered`.",
    ),
    "rest_left_out": (
        "Part of the record shows no motion above its noise, where dry friction may hold; only what moves was used.",
        "Nothing; `shooting` uses the rest too, where it can decide anything.",
    ),
}
