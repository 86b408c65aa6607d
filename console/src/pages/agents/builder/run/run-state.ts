import type { Citation, RunEvent, RunFailure, RunPart, RunState, RunStep } from '@ai-studio/contract/agents/run.ts';
import type { AgentRun, RunStreamEvent } from '@ai-studio/contract/console/agent-talks.ts';

/** State of a node in a run; of a node that runs several times, the sum of all times. */
export interface NodeRun {
  readonly state: 'running' | 'waiting' | 'done' | 'failed' | 'skipped' | 'canceled';
  /** Times that have ended. */
  readonly times: number;
  /** Of all times together. */
  readonly ms: number;
  readonly tokens: number;
  readonly message: string | null;
  /** Steps that are under way. */
  readonly open: readonly string[];
  /** When the step that runs began, in milliseconds of this machine's clock; null where none runs. */
  readonly since: number | null;
}

/** A message and what the agent made of it, as far as it is known. */
export interface RunSnapshot {
  readonly runId: string | null;
  readonly sessionId: number | null;
  readonly state: RunState;
  readonly seq: number;
  readonly answer: string;
  readonly citations: readonly Citation[];
  /** What the answer brings beside its text. */
  readonly parts: readonly RunPart[];
  readonly question: string | null;
  readonly failure: RunFailure | null;
  readonly nodes: Readonly<Record<string, NodeRun>>;
  /** Clock of this machine minus that of the service, in milliseconds. */
  readonly clockSkewMs: number;
}

export const emptyRun: RunSnapshot = {
  runId: null,
  sessionId: null,
  state: 'submitted',
  seq: 0,
  answer: '',
  citations: [],
  parts: [],
  question: null,
  failure: null,
  nodes: {},
  clockSkewMs: 0,
};

/** The same run, going on after what it asked was answered. */
export const resumedRun = (before: RunSnapshot): RunSnapshot => ({
  ...before,
  state: 'working',
  answer: '',
  citations: [],
  parts: [],
  question: null,
});

export const isEnded = (state: RunState): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled' || state === 'input-required';

const withStepStarted = (before: NodeRun | undefined, step: string, since: number): NodeRun => ({
  state: 'running',
  times: before?.times ?? 0,
  ms: before?.ms ?? 0,
  tokens: before?.tokens ?? 0,
  message: null,
  open: [...(before?.open ?? []).filter((one) => one !== step), step],
  since: before?.since ?? since,
});

function withStepEnded(before: NodeRun | undefined, event: Extract<RunEvent, { type: 'step_end' }>): NodeRun {
  const open = (before?.open ?? []).filter((one) => one !== event.step);
  return {
    state: open.length > 0 ? 'running' : event.state,
    times: (before?.times ?? 0) + (event.state === 'skipped' ? 0 : 1),
    ms: (before?.ms ?? 0) + event.ms,
    tokens: (before?.tokens ?? 0) + event.tokens,
    message: event.message ?? null,
    open,
    since: open.length > 0 ? (before?.since ?? null) : null,
  };
}

/**
 * Whether a step is of a node of this graph: in loops and parallels its key is `each[2]/search`, while `helper/search` is a step
 * of the agent that the node `helper` runs.
 */
export const isOwnStep = (step: string): boolean => /^(?:[^/]+\[\d+\]\/)*[^/]+$/.test(step);

const withNode = (view: RunSnapshot, id: string, change: (before: NodeRun | undefined) => NodeRun): RunSnapshot => ({
  ...view,
  nodes: { ...view.nodes, [id]: change(view.nodes[id]) },
});

const ofRun = (view: RunSnapshot, { id, session_id: sessionId }: AgentRun): RunSnapshot => ({
  ...view,
  runId: id,
  sessionId,
});

/** Reducer of run events. Ignores an event that was seen before. */
export function applyRunEvent(view: RunSnapshot, event: RunStreamEvent): RunSnapshot {
  if (event.type === 'run') return ofRun(view, event.run);
  if (event.seq <= view.seq) return view;
  const next = { ...view, seq: event.seq };
  switch (event.type) {
    case 'state':
      return {
        ...next,
        state: event.state,
        question: event.question ?? null,
        failure: event.failure ?? null,
        // Whatever ends a run ends its steps; a question leaves them waiting.
        nodes: isEnded(event.state) ? closeNodes(next.nodes, event.state) : next.nodes,
      };
    case 'text':
      return { ...next, answer: next.answer + event.text };
    case 'part':
      return { ...next, parts: [...next.parts, event.part] };
    case 'progress':
      return next;
    case 'citations':
      return { ...next, citations: event.citations };
    case 'step_begin':
      return isOwnStep(event.step)
        ? withNode(next, event.node, (before) =>
            withStepStarted(before, event.step, Date.parse(event.at) + view.clockSkewMs),
          )
        : next;
    case 'step_end':
      return isOwnStep(event.step) ? withNode(next, event.node, (before) => withStepEnded(before, event)) : next;
  }
}

const closeNodes = (nodes: RunSnapshot['nodes'], state: RunState): RunSnapshot['nodes'] =>
  Object.fromEntries(
    Object.entries(nodes).map(([id, node]) => [
      id,
      node.state === 'running' || (node.state === 'waiting' && state !== 'input-required')
        ? state === 'input-required'
          ? { ...node, state: 'waiting' as const, since: null }
          : { ...node, state: state === 'completed' ? ('done' as const) : ('canceled' as const), open: [], since: null }
        : node,
    ]),
  );

/** How the nodes of a run fared, from its trace. */
export function nodesOf(steps: readonly RunStep[]): RunSnapshot['nodes'] {
  const nodes: Record<string, NodeRun> = {};
  for (const { step, node, state, started_at: from, ended_at: to, usage, failure } of steps) {
    if (!isOwnStep(step)) continue;
    const before = nodes[node];
    const isOpen = state === 'running' || state === 'waiting';
    const open = isOpen ? [...(before?.open ?? []), step] : (before?.open ?? []);
    nodes[node] = {
      state: before !== undefined && open.length > 0 && !isOpen ? before.state : state,
      times: (before?.times ?? 0) + (isOpen || state === 'skipped' ? 0 : 1),
      ms: (before?.ms ?? 0) + (to === null ? 0 : Date.parse(to) - Date.parse(from)),
      tokens: (before?.tokens ?? 0) + usage.total_tokens,
      message: failure?.message ?? before?.message ?? null,
      open,
      since: state === 'running' ? Date.parse(from) : (before?.since ?? null),
    };
  }
  return nodes;
}

/** A run that was made before. Without steps nothing is known of its nodes yet. */
export const viewOf = (run: AgentRun, steps: readonly RunStep[] = []): RunSnapshot => ({
  ...emptyRun,
  runId: run.id,
  sessionId: run.session_id,
  state: run.state,
  answer: run.answer,
  citations: run.citations,
  parts: run.parts,
  question: run.state === 'input-required' ? run.question : null,
  failure: run.failure,
  nodes: nodesOf(steps),
});
