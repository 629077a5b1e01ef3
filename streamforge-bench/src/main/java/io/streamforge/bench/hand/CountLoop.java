package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Outputs;

/** W2. */
final class CountLoop implements KeyedLoop {
  private final boolean byName;
  private final UserTable table = new UserTable(1);
  private long hash;
  private long outputs;

  CountLoop(boolean byName) {
    this.byName = byName;
  }

  @Override
  public void take(Batch batch) {
    long sum = 0;
    for (int i = 0; i < batch.size; i++) {
      long user = batch.users[i];
      int at = table.find(user);
      long count = ++table.cells[at + 1];
      sum += byName ? Mix.count(Input.name(user), count) : Mix.of(user, count);
    }
    hash += sum;
    outputs += batch.size;
  }

  @Override
  public void end() {
    new Outputs().end(hash, outputs);
  }
}
