"""Refusals: the method does not apply, or its estimate is not to be trusted. Each makes the status something but ok.

A row is a code, what it means, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Mapping

ROWS: Mapping[str, tuple[str, str]] = {
    "goal_missed": (
        "No experiment within the limits reaches the wanted standard errors.",
        "Allow more (samples, amplitude, inputs, sensors), or be content with what is reached.",
    ),
    "not_freed": (
        "No experiment within the limits tells these parameters.",
        "Do what would help, as the notes say, or fix one of them.",
    ),
    "no_model_fitted": (
        "None of the models that were to be compared could be fitted.",
        "As the text says of each; fit them one by one to see more.",
    ),
    "no_model_fits": (
        "Every model leaves more than noise; the first is only the least bad.",
        "Look at what each misses, and add a model that has it.",
    ),
    "no_method_answered": (
        "None of the methods that were to be compared came to an estimate.",
        "As the objections say: measure more, fix parameters, give starting values, or another model.",
    ),
    "needs_symbolic_equations": (
        "The method works on the equations themselves, and the model is a Python function.",
        "Give the model as text or SymPy, or use `shooting` with starting values.",
    ),
    "estimate_ignores_record": (
        "The method's law leads to a point that its bounds and options set, so the estimate would be the same on any "
        "record.",
        "Use `shooting`, which identifies, or take the values for what they are: a function of your bounds.",
    ),
    "observer_burst": (
        "An observer's error grew without bound: its gain had the wrong sign, its parameters made the model diverge, "
        "or its steps were too long.",
        "Give narrower bounds, another first gain, or more steps between samples.",
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
    "record_too_short": (
        "There are fewer measured values than any law with its initial states would ask for.",
        "Measure more.",
    ),
    "too_few_equations": (
        "The record is worth hardly more independent equations than there are candidate terms: it cannot choose.",
        "Measure longer or more densely, or take fewer terms: a lower degree, or the model's own.",
    ),
    "library_too_large": (
        "There are more candidate terms than can be searched.",
        "Choose a lower degree, or the model's own terms.",
    ),
    "terms_do_not_fit": (
        "The library's terms are made for another kind of equation, or ask for another unit.",
        "Use polynomials, or the model's own terms.",
    ),
    "another_law": (
        "The terms that the record asks for are not those of the model: its parameters have no values in that law.",
        "Look at the law that was found; fit it, or a model with its terms.",
    ),
    "no_law": (
        "No term of the library is supported by the record.",
        "Measure more, or with less noise; look at the record first.",
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
    "estimate_moves": (
        "A term that the model lacks would move the estimate far out of its interval.",
        "Fit the model with that term (the result holds it as `discovered`).",
    ),
    "unsteady_parameter": (
        "Every part of the record tells the parameter well, and each another value: no single number describes it.",
        "Add the term that is missing; look along what it drifts (amplitude, time).",
    ),
    "filter_diverged": (
        "Innovations are far larger or smaller than the filter expects: its own idea of its errors is wrong.",
        "Let the levels of noise be found; doubt the model.",
    ),
    "needs_white_noise": (
        "The method knows white noise alone, and the noise was said to be of another kind.",
        "Use `shooting`, or let the noise be white.",
    ),
    "balance_not_evaluated": (
        "The balance of energy could not be evaluated along the record.",
        "Use `shooting`.",
    ),
    "coefficients_out_of_reach": (
        "The record asks for coefficients that parameters within their bounds cannot have.",
        "Doubt the model, or widen the bounds.",
    ),
    "no_velocity_equation": (
        "A friction or a force was to be learnt, and no state of the model is the rate of another one.",
        "Name the equation that the unknown term stands in, or write the model with positions and velocities.",
    ),
    "structurally_unidentifiable": (
        "Other values of the parameters give the very same outputs, whatever the record: no measurement of this kind, "
        "however long and precise, tells them apart.",
        "Fix one of them, measure something else too, or quote the combinations that are determined.",
    ),
    "no_effect": (
        "What is measured does not depend on the parameter.",
        "Fix it, or take a record in which it acts.",
    ),
    "not_identifiable": (
        "The standard error exceeds half the parameter's own size, or a third of the range that its bounds leave; or a "
        "twentieth of its size where others stand in for it.",
        "Fix it, or take a record with more variety (other amplitudes, other inputs).",
    ),
    "inseparable": (
        "The parameters can stand in for each other: only a combination of them is determined.",
        "Fix one of them, or take a record with more variety; see `still_determined` for what is known.",
    ),
}
