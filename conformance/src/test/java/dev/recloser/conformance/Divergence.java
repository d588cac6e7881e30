package dev.recloser.conformance;

/**
 * The first thing in a trace about which the two breakers disagree.
 *
 * @param seed the seed of the trace
 * @param step the step after which they did
 * @param operation what the step was
 * @param what what they disagree about
 * @param recloser what Recloser says
 * @param resilience4j what Resilience4j says
 * @param settings the settings of both
 */
record Divergence(
    long seed,
    int step,
    String operation,
    String what,
    Object recloser,
    Object resilience4j,
    Settings settings) {}
