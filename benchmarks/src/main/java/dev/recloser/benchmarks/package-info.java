/** What a call costs through policies, beside other libraries; run by JMH. */
@NullMarked
package dev.recloser.benchmarks;

import org.jspecify.annotations.NullMarked;
