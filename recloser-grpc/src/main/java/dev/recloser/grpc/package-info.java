/**
 * gRPC clients under circuit breakers: {@link dev.recloser.grpc.GuardClientInterceptor}, and {@link
 * dev.recloser.grpc.GrpcOutcomes}, the table of what a status says.
 *
 * <p>Parameters and results are not null unless they say so.
 */
@NullMarked
package dev.recloser.grpc;

import org.jspecify.annotations.NullMarked;
