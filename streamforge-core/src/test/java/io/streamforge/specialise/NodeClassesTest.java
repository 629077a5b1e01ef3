package io.streamforge.specialise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.operator.OperatorFactory;
import io.streamforge.operator.Operators;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class NodeClassesTest {
  @Test
  void eachNodeHasItsOwnCopyWhichItsTasksShare() {
    NodeClasses classes = new NodeClasses(true);

    Class<?> one = Operators.of(classes, "one").getClass();

    assertThat(one.getName()).isEqualTo(OperatorFactory.class.getName());
    assertThat(one).isNotEqualTo(OperatorFactory.class);
    assertThat(Operators.of(classes, "one").getClass()).isEqualTo(one);
    assertThat(Operators.of(classes, "two").getClass()).isNotEqualTo(one);
  }

  @Test
  void tracesNameTheNode() {
    Operators operators = Operators.of(new NodeClasses(true), "enrich");

    assertThatThrownBy(() -> operators.create(null, null, null, null))
        .satisfies(
            e ->
                assertThat(e.getStackTrace()[0].toString())
                    .startsWith("enrich//io.streamforge.operator.OperatorFactory.create("));
  }

  @Test
  void switchedOffAllNodesShareTheClasses() {
    NodeClasses classes = new NodeClasses(false);

    assertThat(Operators.of(classes, "one")).isExactlyInstanceOf(OperatorFactory.class);
  }

  @Test
  void loadersGoWithTheJob() throws InterruptedException {
    NodeClasses classes = new NodeClasses(true);
    WeakReference<ClassLoader> loader =
        new WeakReference<>(Operators.of(classes, "one").getClass().getClassLoader());
    assertThat(loader.get()).isNotNull();

    classes = null;

    for (int i = 0; i < 1_000 && loader.get() != null; i++) {
      System.gc();
    }
    assertThat(loader.get()).isNull();
  }
}
