/**
 * Naive reference models of the window operators: they keep every record for ever and compute what
 * is due from scratch, so that they are slow and easy to believe. Start with {@link
 * io.streamforge.testkit.model.WindowModel}. Nothing here uses an operator.
 */
@NullMarked
package io.streamforge.testkit.model;

import org.jspecify.annotations.NullMarked;
