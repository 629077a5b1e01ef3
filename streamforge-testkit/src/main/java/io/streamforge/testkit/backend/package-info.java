/** What keyed state backends, and stores that are used on their own, are tested with. */
@NullMarked
package io.streamforge.testkit.backend;

import org.jspecify.annotations.NullMarked;
