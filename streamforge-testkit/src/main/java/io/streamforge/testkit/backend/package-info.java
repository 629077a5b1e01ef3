/** What keyed state backends are tested with. */
@NullMarked
package io.streamforge.testkit.backend;

import org.jspecify.annotations.NullMarked;
