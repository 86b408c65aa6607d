import type { Log } from '../log.ts';
import { childMainOf } from './child-main.ts';
import { startChild } from './child.ts';
import { FailureBackoff } from './failure-backoff.ts';
import { ModelFailure } from './failure.ts';
import { createSocketFolder } from './socket-folder.ts';
import type { ChildSettings } from '../child/settings.ts';
import type { Machine } from './machine.ts';
import { type LocalSettings, type ModelFile, planLoad } from './plan.ts';
import { createMemoryPool } from './memory-pool.ts';
import { type ModelStatus, type Slot, placesOf, statusOf } from './slot.ts';

/** The right to use a loaded model: while it is held the model stays. */
export interface ModelLease {
  readonly socketPath: string;
  /** Calls that it works on at one time, where it keeps no order among those that wait; null where it does. */
  readonly places: number | null;
  /** Gives it back. Safe to repeat. */
  release(): void;
}

/** Leases models to engines: the supervisor itself, or a client of the supervisor in another process. */
export interface ModelHost {
  /**
   * Resolves when the model is loaded; loads it where it is not. Rejects with ModelUnavailable, which says why
   * and what to do, or with the reason of the signal.
   */
  acquire(id: string, signal: AbortSignal): Promise<ModelLease>;
}

export interface SupervisorSettings extends LocalSettings {
  /** How long an unused model stays in memory; null: until the memory is needed. */
  readonly keepAliveMs: number | null;
  /** Never unloaded, and loaded again after a crash. */
  readonly pinned: readonly string[];
  readonly gpu: string | number | boolean;
  readonly runtimeDir: string | null;
  /** Requests that may wait within a model's process. */
  readonly maxQueue: number;
}

/** What is known of an embedding model beside its file. */
export interface EmbedderSettings extends Pick<ChildSettings, 'pooling' | 'assumedPooling' | 'normalize'> {
  /** Tokens of a text, where it is to read fewer than it could; null otherwise. */
  readonly maxTokens?: number | null;
}

export interface SupervisorOptions {
  readonly settings: SupervisorSettings;
  readonly machine: Machine;
  /** The file of a model. Throws ModelFailure where there is none that can be used. */
  readonly find: (id: string) => ModelFile;
  /** How an embedding model of this id is read, where that is known beside its file. */
  readonly embedderSettings?: (id: string) => EmbedderSettings;
  /** Module of the child processes, for tests; the runtime's own where it is left out. */
  readonly childMain?: string;
  readonly onStatus: (status: ModelStatus) => void;
  readonly log: Log;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

/** Loads and unloads the models of a machine, each in a process of its own. */
export interface Supervisor extends ModelHost {
  /** Models that are loaded or being loaded. */
  statuses(): readonly ModelStatus[];
  /** Loads a model before the first request. Failures reach `onStatus`. */
  preload(id: string): void;
  /**
   * Takes a model out of memory. Resolves with false, and leaves it there, while requests use it or wait for it, unless by
   * `force`, which cuts them.
   */
  unload(id: string, force: boolean): Promise<boolean>;
  /** Pins a model in memory, loading it where needed; or unpins it. */
  pin(id: string, pinned: boolean): void;
  /** Unloads a model whose file changed or was removed: at once where idle, else after its last request. */
  forget(id: string): void;
  /** Ends all models. Safe to repeat. */
  close(): Promise<void>;
}

/** A request waits this long at most for the backoff after crashes; a longer backoff fails it. */
const MAX_BACKOFF_WAIT_MS = 1_000;
/** A model that ran for so long before it crashed is not taken for one that always does. */
const HEALTHY_MS = 60_000;
/** A model that was used so lately is loaded again after a crash. */
const IN_USE_MS = 10_000;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { settings, machine, find, childMain, onStatus, log, now = () => performance.now() } = options;
  const { embedderSettings = (): EmbedderSettings => ({}) } = options;
  const sockets = createSocketFolder();
  const slots = new Map<string, Slot>();
  const failures = new FailureBackoff(now);
  const pinned = new Set(settings.pinned);
  const timers = new Set<NodeJS.Timeout>();
  let started = 0;
  let closing: Promise<void> | null = null;

  const schedule = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timer.unref();
    timers.add(timer);
    return timer;
  };

  const end = async (slot: Slot): Promise<void> => {
    if (slot.phase === 'ending') return slot.child?.gone;
    slot.phase = 'ending';
    if (slot.idleTimer) clearTimeout(slot.idleTimer);
    if (slots.get(slot.file.id) === slot) slots.delete(slot.file.id);
    await slot.child?.stop();
    memory.release(slot);
  };
  const unload = (slot: Slot, why: string) => {
    log.info({ model: slot.file.id, why }, 'local model unloaded');
    onStatus(statusOf(slot, 'ready'));
    return end(slot);
  };

  const memory = createMemoryPool({ budgetBytes: settings.memoryBudgetBytes, slots, pinned, unload, now });

  /** Reserves memory and loads. Where the machine has less memory than planned, unloads idle models and tries again. */
  const load = async (slot: Slot): Promise<void> => {
    await memory.reserve(slot);
    for (;;) {
      try {
        return await start(slot);
      } catch (error) {
        const outOfMemory = error instanceof ModelFailure && error.reason === 'memory';
        if (!outOfMemory || !(await memory.unloadIdle(`memory for ${slot.file.id}`))) throw error;
      }
    }
  };
  const start = async (slot: Slot): Promise<void> => {
    const { id, path, kind, server = null } = slot.file;
    if (closing) throw new ModelFailure('stopping', 'The service is stopping.');
    slot.phase = 'loading';
    const { maxTokens = null, ...reading } = kind === 'embedding' ? embedderSettings(id) : {};
    const startedMs = now();
    const child = startChild({
      main: childMain ?? childMainOf(settings),
      settings: {
        modelId: id,
        modelPath: path,
        kind,
        socketPath: slot.socketPath,
        contextLength: Math.min(slot.plan.contextLength, maxTokens ?? Infinity),
        parallel: slot.plan.parallel,
        threads: slot.plan.threads,
        lanes: slot.plan.lanes,
        gpu: settings.gpu,
        runtimeDir: settings.runtimeDir,
        maxQueue: settings.maxQueue,
        server,
        ...reading,
      },
      onProgress: (fraction) => {
        slot.progress = fraction;
        onStatus(statusOf(slot, 'loading'));
      },
      log,
    });
    slot.child = child;
    onStatus(statusOf(slot, 'loading'));
    await child.ready;
    slot.phase = 'loaded';
    slot.progress = 1;
    slot.loadedMs = now();
    log.info({ model: id, pid: child.pid, ms: Math.round(now() - startedMs), ...slot.plan }, 'local model loaded');
    onStatus(statusOf(slot, 'loaded'));
    void child.gone.then(() => handleCrash(slot));
    onIdle(slot);
  };
  const handleLoadFailure = (slot: Slot, error: unknown): ModelFailure => {
    const failure =
      error instanceof ModelFailure
        ? error
        : new ModelFailure('crashed', `The model ${slot.file.id} could not be loaded.`);
    if (failure.reason !== 'stopping' && !closing) {
      // Only failures of its own process cause a backoff; a lack of memory passes.
      if (slot.child) failures.record(slot.file, failure, false);
      log.warn(
        { model: slot.file.id, kind: failure.reason, reason: failure.message },
        'local model could not be loaded',
      );
      onStatus(statusOf(slot, 'failed', failure));
    }
    void end(slot);
    return failure;
  };
  /** The process of a loaded model crashed: its requests have seen their connections break. */
  const handleCrash = (slot: Slot) => {
    if (slot.phase === 'ending') return;
    const { file } = slot;
    // Requests may have ended with their connections before this event.
    const inUse = slot.leases > 0 || now() - slot.lastUsedMs < IN_USE_MS;
    const wanted = inUse || pinned.has(file.id);
    const failure = new ModelFailure('crashed', `The model ${file.id} stopped unexpectedly, more than once.`);
    failures.record(file, failure, now() - slot.loadedMs > HEALTHY_MS);
    onStatus(statusOf(slot, wanted ? 'loading' : 'ready'));
    void end(slot);
    if (wanted && !closing) schedule(failures.backoffMs(file), () => preload(file.id));
  };

  const createSlot = (file: ModelFile): Slot => {
    const slot: Slot = {
      file,
      plan: planLoad(file, settings, machine),
      socketPath: sockets.path(`${process.pid.toString(36)}-${(started++).toString(36)}.sock`),
      phase: 'waiting',
      progress: 0,
      leases: 0,
      lastUsedMs: now(),
      loadedMs: 0,
      child: null,
      loaded: Promise.resolve(),
      idleTimer: null,
      stale: false,
    };
    slots.set(file.id, slot);
    slot.loaded = load(slot).catch((error: unknown) => {
      throw handleLoadFailure(slot, error);
    });
    slot.loaded.catch(() => undefined);
    return slot;
  };
  /** The model's slot, new where it has none. Throws ModelFailure. */
  const getOrCreateSlot = (id: string): Slot => {
    const known = slots.get(id);
    return known ?? createSlot(find(id));
  };

  /** Called when the last request of a model ends: unloads it, or starts its idle timer. */
  const onIdle = (slot: Slot) => {
    if (slot.leases > 0 || slot.phase !== 'loaded') return;
    slot.lastUsedMs = now();
    if (slot.stale) return void end(slot);
    memory.wake();
    if (settings.keepAliveMs === null || pinned.has(slot.file.id)) return;
    slot.idleTimer = setTimeout(() => void unload(slot, 'not used'), settings.keepAliveMs);
    slot.idleTimer.unref();
  };
  const leaseOf = (slot: Slot): ModelLease => {
    let held = true;
    return {
      socketPath: slot.socketPath,
      places: placesOf(slot),
      release() {
        if (!held) return;
        held = false;
        slot.leases--;
        onIdle(slot);
      },
    };
  };

  const preload = (id: string) => {
    if (closing) return;
    try {
      void getOrCreateSlot(id).loaded.catch(() => undefined);
    } catch (error) {
      log.warn({ model: id, reason: (error as Error).message }, 'local model cannot be loaded');
    }
  };

  /** Waits for a short backoff to end. Throws the last failure of the file where the backoff is long. */
  const waitForBackoff = async (id: string, signal: AbortSignal): Promise<void> => {
    if (slots.has(id)) return;
    const file = find(id);
    const known = failures.find(file);
    if (!known) return;
    if (known.backoffMs > MAX_BACKOFF_WAIT_MS) throw known.failure;
    await abortable(new Promise<void>((resolve) => schedule(known.backoffMs, resolve)), signal);
  };

  const closeAll = async () => {
    for (const timer of timers) clearTimeout(timer);
    memory.close();
    await Promise.all([...slots.values(), ...memory.holders()].map(end));
    sockets.remove();
  };

  return {
    async acquire(id, signal) {
      if (closing) throw new ModelFailure('stopping', 'The service is stopping.');
      await waitForBackoff(id, signal);
      const slot = getOrCreateSlot(id);
      slot.leases++;
      if (slot.idleTimer) clearTimeout(slot.idleTimer);
      slot.idleTimer = null;
      const lease = leaseOf(slot);
      try {
        await abortable(slot.loaded, signal);
        return lease;
      } catch (error) {
        lease.release();
        throw error;
      }
    },
    statuses: () => [...slots.values()].map((slot) => statusOf(slot, slot.phase === 'loaded' ? 'loaded' : 'loading')),
    preload,
    async unload(id, force) {
      const slot = slots.get(id);
      if (!slot) return true;
      if (slot.leases > 0 && !force) return false;
      await unload(slot, 'asked for');
      return true;
    },
    pin(id, pin) {
      if (pin) pinned.add(id);
      else pinned.delete(id);
      const slot = slots.get(id);
      if (slot?.idleTimer) clearTimeout(slot.idleTimer);
      if (slot) slot.idleTimer = null;
      // Models that wait for its memory check again.
      memory.wake();
      if (pin) preload(id);
      else if (slot) onIdle(slot);
    },
    forget(id) {
      const slot = slots.get(id);
      if (!slot) return;
      slot.stale = true;
      slots.delete(id);
      onIdle(slot);
    },
    close: () => (closing ??= closeAll()),
  };
}

/** The promise, or the reason of the signal when that comes first. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
