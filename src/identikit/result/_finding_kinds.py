"""Every finding there is, a row each: code, what it means, what to do about it. docs/findings.md is made from these."""

from __future__ import annotations

from collections.abc import Mapping

from identikit.result._finding import KINDS as KINDS
from identikit.result._finding import FindingKind, Severity, register_finding

_Rows = Mapping[str, tuple[str, str]]

# The method does not apply, or its estimate is not to be trusted: each of these makes the status something but ok.
_REFUSALS: _Rows = {
    "needs_symbolic_equations": (
        "The method works on the equations themselves, and the model is a Python function.",
        "Give the model as text or SymPy, or use `shooting` with starting values.",
    ),
    "too_few_samples": (
        "There are hardly more measured values than unknowns (parameters and initial states).",
        "Measure more, or fix parameters that you know.",
    ),
    "state_not_measured": (
        "The method needs a state that is neither measured nor follows from what is measured.",
        "Measure it, or use `shooting`, which integrates the states.",
    ),
    "parameter_unused": (
        "A free parameter does not occur in the equations that the method can test.",
        "Fix it, or use `shooting`.",
    ),
    "parameter_inside_function": (
        "A free parameter does not stand in a factor of a function of the motion, as the k of k*x does.",
        "Fix it, or use `shooting`.",
    ),
    "scale_not_known": (
        "The scale of a measured position is free, so that energies have no scale.",
        "Fix the scale, or use `shooting`.",
    ),
    "not_second_order": (
        "The method needs states in pairs, x' = v and v' = a(t, x, v).",
        "Use `least_squares` or `shooting`.",
    ),
    "not_one_degree_of_freedom": (
        "The method is for two states, x and v with x' = v.",
        "Use `shooting`.",
    ),
    "not_linear": (
        "The method is for linear systems x' = A x with constant A.",
        "Take a linear model, or another method.",
    ),
    "not_a_pendulum": (
        "The averaged solution is that of a pendulum with viscous damping, and of nothing else.",
        "Use `energy` or `shooting`.",
    ),
    "force_not_of_motion": (
        "The force that is looked for depends on more than displacement and velocity.",
        "Fix the parameters that multiply the rest.",
    ),
    "motion_is_driven": (
        "An input changes or the equations hold the time: the motion is not a free decay.",
        "Use `shooting`, or record with the drive switched off.",
    ),
    "not_a_free_decay": (
        "The record is not the decay of one oscillation: too few oscillations, growth, a steady amplitude, a second "
        "oscillation, a sensor at its limit.",
        "Cut the record to one free decay, or fit the forced model with `shooting`.",
    ),
    "no_motion": (
        "The record shows no motion above its noise.",
        "Measure again with a larger motion; check that the right column was read.",
    ),
    "too_little_above_noise": (
        "Too little of the envelope, or too few valleys, stand clear of the noise.",
        "Start with a larger swing, or lower the method's cutoff.",
    ),
    "too_few_windows": (
        "Fewer windows hold enough samples than the system has states.",
        "Use a longer or denser record, a lower degree, or another spacing and window.",
    ),
    "structure_contradicted": (
        "The model cannot have the structure that was asked for, A = [0 I; -K 0].",
        "Take `structure=none`, or a model with positions first, then velocities.",
    ),
    "no_printed_formula": (
        "The printed formulas give one damping, by v, sign(v) or v|v|, and nothing else.",
        "Let one damping be free and fix all else, or take `formula=corrected`.",
    ),
    "no_law_by_method": (
        "The method gave no estimate for a law of damping.",
        "Read the reason in the text; use `shooting`.",
    ),
    "laws_not_settled": (
        "The law with all mechanisms of damping did not settle, so that the laws cannot be compared.",
        "Give the model, free what is not known, give starting values, or cut the record to one free decay.",
    ),
    "not_started": (
        "The model could not be integrated from any starting values that were tried.",
        "Give starting values or narrower bounds.",
    ),
    "stopped_early": (
        "The caller asked to stop; the values are the best so far.",
        "Run again, and let it finish.",
    ),
    "not_settled": (
        "The method's own iteration did not come to an end.",
        "Look at the plot; give starting values, or fix parameters you know; doubt the model.",
    ),
    "not_followed": (
        "The method came to an end, but no trajectory with its values follows the record, and nothing else confirms "
        "them.",
        "Look at the plot; refine with `shooting`; doubt the model.",
    ),
    "poor_fit": (
        "The fit explains less than half of an output and leaves a pattern, or no more than chance does: a wrong "
        "minimum, or the wrong model.",
        "Look at the plot; give starting values.",
    ),
    "unexplained_pattern": (
        "The model leaves more than a tenth of the signal, and what is left is a pattern well above the record's own "
        "noise.",
        "Look at the residuals; add the term that is missing; cut away where something else moved the system.",
    ),
    "unsteady_parameter": (
        "Every part of the record tells the parameter well, and each another value: no single number describes it.",
        "Add the term that is missing; look along what it drifts (amplitude, time).",
    ),
    "balance_not_evaluated": (
        "The balance of energy could not be evaluated along the record.",
        "Use `shooting`.",
    ),
    "coefficients_out_of_reach": (
        "The record asks for coefficients that parameters within their bounds cannot have.",
        "Doubt the model, or widen the bounds.",
    ),
    "no_effect": (
        "What is measured does not depend on the parameter.",
        "Fix it, or take a record in which it acts.",
    ),
    "not_identifiable": (
        "The standard error exceeds half the parameter's own size, or a third of the range that its bounds leave.",
        "Fix it, or take a record with more variety (other amplitudes, other inputs).",
    ),
    "inseparable": (
        "The parameters can stand in for each other: only a combination of them is determined.",
        "Fix one of them, or take a record with more variety; see `still_determined` for what is known.",
    ),
}

# The number stands, but not without these words.
_WARNINGS: _Rows = {
    "outside_domain": (
        "Measured values lie where the equations cannot be evaluated (sqrt, log or a power of a negative number).",
        "Check the sensor's zero; methods that integrate the model use these samples all the same.",
    ),
    "input_at_default": (
        "An input of the model was not given and kept its default value, while columns of the file were not used.",
        "Name the column or expression of the input; nothing, if the default is meant.",
    ),
    "input_begins_late": (
        "A sampled input is not known before its first sample, so the record is used from there on.",
        "Say what it was before, if you know; a command that was not sent yet is often zero.",
    ),
    "input_gap": (
        "Samples of an input are missing for longer than can be bridged: the record is cut there into parts with "
        "initial states of their own.",
        "Say how the input went on, if you know: with its last value, or straight to the next.",
    ),
    "hold_open": (
        "The record does not tell how an input went on between its samples, and the estimates depend on it.",
        "Say which it is: a command that is kept until the next, or a smooth course. Sample the input more finely.",
    ),
    "strongly_correlated": (
        "Errors of the two estimates go together.",
        "Quote them together, with their correlation.",
    ),
    "other_explanation": (
        "Other values explain the record as well.",
        "Decide by what else you know: tighter bounds, a fixed parameter, another record.",
    ),
    "degenerate_end": (
        "A parameter is zero, and without it the equations hold nothing of some others: what is said of those is said "
        "of that place, not of the record.",
        "Give starting values, or bounds that exclude zero; if it is zero in truth, fix it and the others.",
    ),
    "at_bound": (
        "The estimate lies at a bound; its interval is one-sided.",
        "Widen the bound if it was a guess; if it is physical, the parameter may be superfluous.",
    ),
    "parts_disagree": (
        "Parts of the record, each with an initial state of its own, give different parameters.",
        "Look along what they drift; add the term that is missing. The standard errors include the spread.",
    ),
    "loss_not_explained": (
        "In some range of amplitude the decay loses more or less than the likeliest law of damping says: something "
        "damps that none of the laws has.",
        "Quote the law for the range it fits, or fit a model with the term that the text names.",
    ),
    "coloured_residuals": (
        "What the model leaves over is correlated from sample to sample.",
        "Look at the residuals: the model misses something, or the noise is coloured.",
    ),
    "missing_term": (
        "One more term in the model, or a fixed parameter set free, would explain much of what the model leaves over.",
        "Ask whether the term makes sense; fit the model with it (its text is in the report).",
    ),
    "disturbed": (
        "In a stretch of the record something acts that the model does not know; outside it, the model fits.",
        "Leave the stretch out, or give what acts there as an input.",
    ),
    "not_followed_though_confirmed": (
        "The method's own equations confirm the estimate, but no single trajectory follows the whole record, as is "
        "usual for chaotic motion.",
        "Do not read the quality of the fit and the Cramér-Rao bound; refine with `shooting`.",
    ),
    "rest_ambiguous": (
        "Where the motion came to rest fits several sets of parameters, so only the motion was used.",
        "Nothing; or measure several runs that come to rest at different places.",
    ),
    "states_not_cleared": (
        "The states could not be cleared of noise; the parameters are those of least squares on the weak form.",
        "Compare with `shooting`; sample more densely.",
    ),
    "biased_by_noise": (
        "Noise of the samples biases the estimate; the bias is counted into the standard error.",
        "Take `weights=noise`.",
    ),
    "no_interval": (
        "No interval is stated, since none that the method could state would be true.",
        "Read the reason in the text; refine with `shooting`.",
    ),
    "bias_counted": (
        "The method is biased on simulated records like this one; the bias is counted into the standard error.",
        "Refine with `shooting`.",
    ),
    "damping_law_doubtful": (
        "The decay deviates from the model by much more than the noise explains.",
        "Try other laws of damping (`identikit damping`); look for what else moves the record.",
    ),
    "printed_formula": (
        "The printed formulas lack factors of the frequency.",
        "Take `formula=corrected` for the damping.",
    ),
    "initial_state_contradicted": (
        "The record contradicts the given initial states, so they were fitted.",
        "Check when the record begins and how the motion was started.",
    ),
    "points_dependent": (
        "The states at the reference points are nearly dependent: errors grow by as much.",
        "Use other points, or a motion that excites every mode.",
    ),
    "spacing_too_long": (
        "The spacing of the points is longer than half a period of the fastest mode.",
        "Use a shorter spacing.",
    ),
    "modes_alike": (
        "Two modes look alike at this spacing of the points.",
        "Use another spacing.",
    ),
    "windows_overlap": (
        "Windows share samples, so that the stated standard errors are too small.",
        "Use narrower windows or a longer spacing.",
    ),
    "outliers_seen": (
        "Single samples lie far off their neighbours on both sides.",
        "Drop them (`identikit.measurement.drop_outliers`) or look at the sensor; least squares is drawn towards them.",
    ),
    "sensor_at_limit": (
        "A column stays at the end of its range again and again: its sensor cuts it off.",
        "Measure with a wider range, or leave out what is cut off.",
    ),
    "wrapped_angle": (
        "An angle jumps by a whole turn, since its sensor counts within one.",
        "Unwrap it before fitting (`numpy.unwrap`): a model's angle does not jump.",
    ),
    "coarse_resolution": (
        "The step of a sensor is coarser than its noise, so that its error is that of rounding.",
        "Standard errors hold as long as the motion passes many steps; use a finer encoder for small motions.",
    ),
    "coloured_noise": (
        "Noise is correlated from sample to sample.",
        "Standard errors that assume white noise are wrong, mostly too small; prefer those that allow for colour.",
    ),
    "uneven_clock": (
        "The time between samples varies noticeably.",
        "Nothing for methods that integrate: they take times as they are. Do not replace them by even ones.",
    ),
    "unknown_at_first": (
        "A column has no value at the beginning of the record.",
        "If it is an input, use the record from its first value on, or say what it was before.",
    ),
    "few_samples": (
        "The record has too few samples to tell noise from motion.",
        "Trust a model that you have reasons for; do not read noise levels or kinds of motion from the record alone.",
    ),
    "unclassified": (
        "A sentence from a result that was saved before findings had codes.",
        "Read the text; fit again for a code.",
    ),
}

# What was decided or found along the way.
_NOTES: _Rows = {
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
    "record_cut": (
        "Only a part of the record was used, since before and after it nothing moves above the noise.",
        "Nothing; or trim the record yourself.",
    ),
    "no_missing_term": (
        "The usual terms were tried, and none of them would explain what the model leaves over.",
        "Look at the residuals; the model may lack a state, or an input that was not measured.",
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
}

for _severity, _rows in ((Severity.REFUSAL, _REFUSALS), (Severity.WARNING, _WARNINGS), (Severity.NOTE, _NOTES)):
    for _code, (_meaning, _remedy) in _rows.items():
        register_finding(FindingKind(_code, _severity, _meaning, _remedy))
