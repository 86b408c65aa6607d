/** Calls under way by the address that they are at. */
export type Loads = ReadonlyMap<string, number>;

/** Tells processes and machines how many calls the others have under way, so that none takes an address for idle that is not. */
export interface LoadExchange {
  /**
   * Says what this process has under way, in place of what it said before, and resolves with what all others have. What a process says is
   * forgotten within seconds unless it says it again. Rejects while the others cannot be asked.
   */
  exchange(own: Loads): Promise<Loads>;
  /** Safe to repeat. */
  close(): Promise<void>;
}
