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
    "strongly_correlated": (
        "Errors of the two estimates go together.",
        "Quote them together, with their correlation.",
    ),
    "other_explanation": (
        "Other values explain the record as well.",
        "Decide by what else you know: tighter bounds, a fixed parameter, another record.",
    ),
    "at_bound": (
        "The estimate lies at a bound; its interval is one-sided.",
        "Widen the bound if it was a guess; if it is physical, the parameter may be superfluous.",
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
    "time_without_unit": (
        "The time column states no unit, so the model's own unit of time was assumed.",
        "Write the unit into the header, t[ms], or say it.",
    ),
    "gap": (
        "A stretch without samples, more than ten times as long as the usual spacing.",
        "Methods that integrate bridge it; smoothing methods know nothing in it. Cut the record there if the system "
        "was touched meanwhile.",
    ),
    "record_cut": (
        "Only a part of the record was used, since before and after it nothing moves above the noise.",
        "Nothing; or trim the record yourself.",
    ),
    "still_determined": (
        "Combinations of parameters that the record determines although it does not determine each of them.",
        "Quote the combination, or fix all but one of its parameters.",
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
