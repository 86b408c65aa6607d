/** Messages between the processes of one installation: at most once, in order per sender, not stored. */
export interface Bus {
  /** Sends to every subscriber of the channel, in this process and in all others. `payload` is JSON of at most 7,000 bytes. */
  publish(channel: string, payload: unknown): Promise<void>;
  /**
   * Calls `listener` for each message. Calls `onGap` after a reconnect: messages may have been missed, so derived state must be read
   * again.
   */
  subscribe(channel: string, listener: (payload: unknown) => void, onGap?: () => void): Promise<Unsubscribe>;
  close(): Promise<void>;
}
export type Unsubscribe = () => Promise<void>;
