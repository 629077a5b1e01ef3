package io.streamforge.testkit.storage;

import io.streamforge.storage.CheckpointStorage;

class SimulatedStorageContractTest extends CheckpointStorageContract {
  private final SimulatedStorage place = new SimulatedStorage(1);

  @Override
  protected CheckpointStorage connect() {
    return place.connect();
  }
}
