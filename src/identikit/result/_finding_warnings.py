"""Warnings: the number stands, but not without these words.

A row is a code, what it means, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Mapping

ROWS: Mapping[str, tuple[str, str]] = {
    "flat_combination": (
        "Parameters that a planned experiment tells together better than one by one.",
        "Look at what would help; quote them together if nothing can be had.",
    ),
    "check_differs": (
        "Fits of simulated records spread otherwise than expected, by more than chance: the likelihood is bent over "
        "the width of the errors.",
        "Trust the spread of the fits; more samples or a larger motion bring both together.",
    ),
    "fits_not_settled": (
        "Some fits of simulated records of a planned experiment did not come to an end.",
        "Choose an experiment with a shorter or a less sensitive motion.",
    ),
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
    "second_opinion_differs": (
        "A method that shares nothing with the first (no integration) finds other parameters; neither fit says why.",
        "Look at parts of the record and at residuals; noise, clock or model may not be what they seem.",
    ),
    "methods_differ": (
        "Methods whose own checks hold differ from the most trusted one by more than their intervals allow.",
        "Read the reason given for each; the reference stands, unless noise, clock or model are not what they seem.",
    ),
    "method_failed": (
        "A method came to no estimate: it failed, crashed, found another law, did not converge or took too long.",
        "Nothing, if others answer; give it more time or starting values if you want it.",
    ),
    "truth_missed": (
        "The true value that was given lies far outside the interval of the most trusted method.",
        "Check the value and its unit, and whether record and model belong together.",
    ),
    "uncertainty_not_assessed": (
        "Intervals of the kind that was asked for could not be had; those of the fit stand.",
        "As the text says: another kind, another method, or an estimate first.",
    ),
    "likelihood_bent": (
        "Around the estimate log L is not the parabola that standard errors come from: intervals from the curvature "
        "may not hold.",
        "Take intervals from the likelihood's own shape: kind profile or bayes. A longer record straightens it.",
    ),
    "profile_one_sided": (
        "The profile likelihood comes down on one side of the parameter only: the record limits it from there alone.",
        "Quote the limit, not the value. Measure where the parameter matters more.",
    ),
    "profile_lost": (
        "The profile likelihood was followed to a place where no likelihood was found: the model cannot be integrated "
        "there, or the other parameters were not found. Nothing is known of what lies beyond.",
        "Take the interval for open on that side; another kind of interval, bounds or a better start may tell.",
    ),
    "profile_flat": (
        "The profile likelihood does not come down on either side: the record sets the parameter no limit.",
        "Fix it, or measure where it matters; the identifiability section says what it is exchanged with.",
    ),
    "higher_likelihood": (
        "On the way a profile met parameters that are likelier than the estimate.",
        "Fit again with these as starting values.",
    ),
    "replicates_unsettled": (
        "Some replicates of the bootstrap did not come to an estimate; intervals are from the others, perhaps narrow.",
        "Take the profile, which says what the record cannot tell; fix parameters it does not know.",
    ),
    "posterior_not_converged": (
        "Chains of the posterior disagree, diverged, or are worth too few independent draws.",
        "More draws and a longer warmup; priors or bounds where the record leaves something open.",
    ),
    "posterior_improper": (
        "There is no posterior: neither the record nor a prior or bounds hold some combination of the unknowns.",
        "Give priors or bounds on both sides, fix a parameter, or measure what tells them apart.",
    ),
    "posterior_out_of_reach": (
        "The problem is not one whose posterior can be sampled here.",
        "Another kind of interval, or the problem without what the text names.",
    ),
    "prior_decides": (
        "The posterior of a parameter is about as wide as what was known before the record.",
        "Take the interval as that of the prior or the bounds; the record cannot tell more.",
    ),
    "models_alike": (
        "The record does not tell two or more models apart.",
        "Quote them together, or measure where they differ: other amplitudes, a longer record, less noise.",
    ),
    "weights_overconfident": (
        "Residuals are correlated from sample to sample, so that the weights of models are too far apart.",
        "Trust the prediction of unseen samples more than the weights.",
    ),
    "prediction_disagrees": (
        "The model with the best criterion predicts unseen samples worse than another.",
        "Look at the residuals: the record may change on its way, or the model adapts to its first part.",
    ),
    "hold_open": (
        "The record does not tell how an input went on between its samples, and the estimates depend on it.",
        "Say which it is: a command that is kept until the next, or a smooth course. Sample the input more finely.",
    ),
    "rival_laws": (
        "Other laws of the same library describe the record as well: it cannot tell which is right.",
        "Quote them together, or measure where they differ: other amplitudes, other starts, less noise.",
    ),
    "law_not_settled": (
        "Choosing terms and clearing the states with them did not come to an end.",
        "Take the law as a suggestion; choose fewer candidate terms.",
    ),
    "library_lacks_something": (
        "The best law of the library leaves more than noise.",
        "Add terms (a higher degree, dry friction), measure the missing state, or give the input that drives it.",
    ),
    "strongly_correlated": (
        "Errors of the two estimates go together.",
        "Quote them together, with their correlation.",
    ),
    "other_explanation": (
        "Other values explain the record as well.",
        "Decide by what else you know: tighter bounds, a fixed parameter, another record.",
    ),
    "start_too_fast": (
        "The starting values make the model oscillate faster than the record was sampled; they were not used.",
        "Check their units. If the motion is that fast, sample it faster: this record cannot tell it from slower.",
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
    "law_imitated": (
        "A loss that none of the laws of damping has, with no more parameters, would explain the decay as well.",
        "Quote the loss over the amplitudes that were seen rather than the mechanisms; a longer fall tells more.",
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
    "process_noise_ignored": (
        "The problem says that states are moved by process noise, and the method does not count with it: its "
        "intervals are too narrow.",
        "Use the method `kalman`.",
    ),
    "formula_fits_worse": (
        "A formula was found for the learned term, but its trajectory misses the record by more than the network does.",
        "Look at the learned curve: the law that is handed over has the network in it.",
    ),
    "network_stands_in": (
        "The network can stand in for the parameter, whose value therefore rests on the network's prior.",
        "Fix the parameter, or let the unknown term depend on less.",
    ),
    "unclassified": (
        "A sentence from a result that was saved before findings had codes.",
        "Read the text; fit again for a code.",
    ),
    "twin_values": (
        "Parameters far from those judged at give the same outputs, since hidden states make up for the difference.",
        "Measure a hidden state, know it at the beginning, or give bounds that exclude the other values.",
    ),
    "judged_with_white_noise": (
        "What a record tells was judged at given values, whose residuals are not the white noise that is counted with.",
        "Leave the values out, so that a fit finds them and the noise; or name the noise.",
    ),
    "judged_at_poor_fit": (
        "What a record tells was judged at the values of a fit that is not to be trusted.",
        "Give the values to judge at, or a model that describes the record.",
    ),
}
