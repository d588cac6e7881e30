package dev.recloser.micrometer;

import io.micrometer.core.instrument.Tags;

/** What {@link PolicyMetrics.Builder} was told. */
record MeterSettings(Tags tags, boolean callTimers, boolean resilience4jNames) {}
