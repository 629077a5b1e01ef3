package io.streamforge.operator.join;

import io.streamforge.graph.Node;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.TimerScope;
import io.streamforge.operator.Timers;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.state.TableCursor;
import io.streamforge.time.TimeDomain;

/**
 * A join that keeps the rows of a key together, and a timer for what is next to be done with them.
 */
// The timer is set to the time when something is to be done for the earliest row, and set anew when
// it has fired. Spurious timers do no harm: what is to be done is read off the rows. So timers are
// no part of checkpoints.
@Specialised
abstract class RowsJoinOperator extends JoinOperator {
  final KeyedTable<JoinRows> table;
  private final Timers timers;

  RowsJoinOperator(Node.JoinNode node, OperatorContext context) {
    super(node, context);
    this.table =
        context
            .states()
            .table(
                StateDescriptor.of(
                    "rows", JoinRowsSerde.form(context.valueForm(0), context.valueForm(1))));
    this.timers = context.derivedTimers(this);
  }

  /** When something is next to be done for the rows of a key, of which there are some. */
  abstract long dueMillis(JoinRows rows);

  /** Does all that is due for the rows of a key. */
  abstract void due(JoinRows rows) throws Exception;

  /** Whether anything is to be done for the rows of a key at any time. */
  boolean waits(JoinRows rows) {
    return true;
  }

  @Override
  public final void open() {
    for (TableCursor<JoinRows> cursor = table.cursor(); cursor.next(); ) {
      if (waits(cursor.value())) {
        arm(cursor.key(), cursor.hash(), cursor.value());
      }
    }
  }

  @Override
  public final void touch(long[] hashes, int from, int to) {
    table.touch(hashes, from, to);
  }

  /** Sees to it that a timer fires when something is to be done, after a row has been added. */
  final void armFor(long timestampMillis, int side, Object key, long hash, JoinRows rows) {
    if (rows.armedMillis == JoinRows.UNARMED || rows.of(side).time(0) == timestampMillis) {
      arm(key, hash, rows);
    }
  }

  /** Sees to it that a timer fires when something is next to be done for rows that wait. */
  final void arm(Object key, long hash, JoinRows rows) {
    long due = dueMillis(rows);
    if (rows.armedMillis == JoinRows.UNARMED || rows.armedMillis > due) {
      rows.armedMillis = due;
      timers.set(TimeDomain.EVENT, due, key, hash, TimerScope.KEY);
    }
  }

  @Override
  public final void onTimer(Object key, long timeMillis, TimeDomain domain, TimerScope scope)
      throws Exception {
    long hash = keyContext.hash;
    JoinRows rows = table.get(key, hash);
    if (rows == null) {
      return;
    }
    if (rows.armedMillis <= timeMillis) {
      rows.armedMillis = JoinRows.UNARMED;
    }
    results.begin(key, hash);
    due(rows);
    if (rows.isEmpty()) {
      table.remove(key, hash);
    } else if (waits(rows)) {
      arm(key, hash, rows);
    }
    results.emitOrSuspend();
  }
}
