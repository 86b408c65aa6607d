import type { GuardMode } from '@ai-studio/contract/utilities/guard.ts';
import type { AgentDefinition, AgentEdge, AgentNodeForm, NodeKind } from '@ai-studio/contract/agents/definition.ts';
import type { RunFailure, RunInput, RunPart } from '@ai-studio/contract/agents/run.ts';
import { isDatabaseUnavailable } from '../../ports/database.ts';
import type { Graph } from '../definition/graph.ts';
import {
  type Placeholder,
  parseTemplate,
  valueAt,
  renderText,
  renderValue,
  type Template,
} from '../definition/template-text.ts';
import type { AnswerPart, Answers } from './answers.ts';
import { type Execution, isResumable, NodeFailure, RunInterrupt } from './execution.ts';
import { newStep, type Step } from './steps.ts';
import { InputRequired } from './input-required.ts';

type Results = Readonly<Record<string, unknown>>;

/** A definition that is run: the agent's own, or that of an agent that it calls. */
export interface Flow {
  readonly execution: Execution;
  readonly graph: Graph;
  readonly input: RunInput;
  /** Ids of the agents that called each other, this one last. */
  readonly agents: readonly string[];
  /** Whether its searches cover all collections of the tenant, whoever made them. */
  readonly seesAll: boolean;
  /** What it, and those that called it, ask for to become of personal values before models are told; the strictest holds. */
  readonly guards: readonly GuardMode[];
  /** Whether this is the agent that callers called. */
  readonly outermost: boolean;
  /** Where its answers go as they are made; null where they are only gathered. */
  readonly answers: Answers | null;
  readonly templates: Map<string, Template>;
  /** Texts of its answer nodes, where they are collected instead of streamed. */
  readonly collected: { readonly text: string; readonly at: number }[];
  /** What its answer nodes bring beside their texts, where another agent called it; null where that goes to the caller of the run. */
  readonly parts: RunPart[] | null;
}

/** Of an agent, and of those that called it. */
export const guardsOf = ({ limits: { guard } }: AgentDefinition, before: readonly GuardMode[]): readonly GuardMode[] =>
  guard === undefined ? before : [...before, guard];

/** The nodes of one container, one time through. */
export interface Scope {
  readonly flow: Flow;
  readonly container: string | null;
  /** Of the keys of its steps: empty, or such as `each[2]/`. */
  readonly prefix: string;
  readonly results: Map<string, Results>;
  /** `item` or `loop`. */
  readonly locals: Readonly<Record<string, unknown>>;
  readonly outer: Scope | null;
  /** Parts of the answer that are streamed for answer nodes of this scope, by the node's id. */
  readonly streamed: Map<string, AnswerPart>;
}

/** What a node works with. */
export interface NodeContext<N extends AgentNodeForm = AgentNodeForm> {
  readonly node: N;
  readonly scope: Scope;
  readonly step: Step;
  readonly execution: Execution;
  /** A text of the node with its placeholders filled. Throws StudioError. */
  text(template: string): string;
  /** The result itself where the text is one placeholder and nothing else. Throws StudioError. */
  value(template: string): unknown;
  /** What a reference such as `input.files` names. */
  result(reference: string): unknown;
  /** For the trace. */
  trace(inputs: unknown): void;
  /** Stores what the node needs to resume after a crash. */
  saveCheckpoint(kept: unknown): void;
}

/** Runs a node of one kind; resolves with its results. */
export type RunNode = (context: NodeContext) => Promise<Results> | Results;

export interface ScopeDeps {
  readonly runNode: (kind: NodeKind) => RunNode;
  /** What callers are told; the node is null where none is to blame. */
  readonly failureOf: (error: unknown, node: AgentNodeForm | null) => RunFailure;
}

/** Texts of a definition are taken apart once a run. */
function templateOf({ flow: { templates } }: Scope, text: string): Template {
  const known = templates.get(text);
  if (known !== undefined) return known;
  const template = parseTemplate(text);
  templates.set(text, template);
  return template;
}

/** The value of a placeholder as a scope sees it. */
function lookUp(scope: Scope, { node, keys }: Pick<Placeholder, 'node' | 'keys'>): unknown {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    if (Object.hasOwn(at.locals, node)) return valueAt(at.locals[node], keys);
    const results = at.results.get(node);
    if (results !== undefined) return valueAt(results, keys);
  }
  return undefined;
}

/** A text with its placeholders filled, as a scope sees them. Throws StudioError. */
export const renderIn = (scope: Scope, text: string): string =>
  renderText(templateOf(scope, text), (placeholder) => lookUp(scope, placeholder));
/** The result itself where the text is one placeholder and nothing else. Throws StudioError. */
export const valueIn = (scope: Scope, text: string): unknown =>
  renderValue(templateOf(scope, text), (placeholder) => lookUp(scope, placeholder));
/** Texts and placeholders of a text. */
export const partsOf = (scope: Scope, text: string): readonly (string | Placeholder)[] => templateOf(scope, text).parts;

/** Longest inputs that a trace keeps, as JSON. */
const MAX_TRACED_LENGTH = 200_000;

/** Inputs for the trace: the beginning of what is too long. */
function shortened(inputs: unknown): unknown {
  const json = JSON.stringify(inputs) ?? 'null';
  return json.length <= MAX_TRACED_LENGTH ? inputs : { beginning: json.slice(0, MAX_TRACED_LENGTH).toWellFormed() };
}

function createNodeContext(scope: Scope, node: AgentNodeForm, step: Step): NodeContext {
  const { execution } = scope.flow;
  return {
    node,
    scope,
    step,
    execution,
    text: (template) => renderIn(scope, template),
    value: (template) => valueIn(scope, template),
    result(reference) {
      const [id = '', ...keys] = reference.split('.');
      return lookUp(scope, { node: id, keys });
    },
    trace(inputs) {
      step.inputs = shortened(inputs);
      execution.log.step(step);
    },
    saveCheckpoint(kept) {
      step.kept = kept;
      execution.log.step(step);
    },
  };
}

/** Says how a step ended. */
export function endStep(
  { log }: Pick<Execution, 'log'>,
  step: Step,
  state: 'done' | 'failed' | 'skipped' | 'canceled',
): void {
  step.state = state;
  step.endedAt = new Date();
  const message = step.failure?.message;
  log.step(step);
  log.event({
    type: 'step_end',
    step: step.key,
    node: step.node,
    state,
    ms: step.endedAt.getTime() - step.startedAt.getTime(),
    tokens: step.promptTokens + step.completionTokens,
    ...(message === undefined ? {} : { message }),
  });
}

/** Cancels the steps that are still open when a run is over. */
export function endOpenSteps(run: Pick<Execution, 'log' | 'steps'>): void {
  for (const step of run.steps.values())
    if (step.state === 'running' || step.state === 'waiting') endStep(run, step, 'canceled');
}

function beginStep(execution: Execution, step: Step): void {
  step.state = 'running';
  step.attempts++;
  step.startedAt = new Date();
  execution.log.step(step);
  execution.log.event({ type: 'step_begin', step: step.key, node: step.node, kind: step.kind });
}

/** Runs a node, or takes its results from before a crash. */
async function runStep({ runNode, failureOf }: ScopeDeps, scope: Scope, node: AgentNodeForm): Promise<Results> {
  const { execution } = scope.flow;
  const key = `${scope.prefix}${node.id}`;
  const known = execution.admit(key);
  const step = known ?? newStep(key, node.id, node.kind);
  if (known?.state === 'done') {
    const results = (known.outputs ?? {}) as Results;
    if (node.kind === 'answer') restoreAnswer(scope, results, node.citations, known);
    return results;
  }
  if (known?.state === 'waiting') throw new InputRequired(questionOf(known));
  execution.steps.set(key, step);
  execution.signal.throwIfAborted();
  beginStep(execution, step);
  try {
    const results = await runNode(node.kind)(createNodeContext(scope, node, step));
    execution.signal.throwIfAborted();
    step.outputs = results;
    endStep(execution, step, 'done');
    return results;
  } catch (error) {
    if (error instanceof InputRequired) {
      step.state = error.question === null ? 'running' : 'waiting';
      if (error.question !== null) step.inputs = { question: error.question };
      execution.log.step(step);
      throw error;
    }
    if (!execution.signal.aborted) {
      const interrupt = interruptOf(error);
      if (interrupt !== null) execution.abort(interrupt);
    }
    const ended = execution.signal.aborted && !(error instanceof NodeFailure);
    if (ended) {
      // What only the stop of the service, or the loss of its database, ended goes on elsewhere or later.
      if (!isResumable(execution.signal.reason)) endStep(execution, step, 'canceled');
      throw execution.signal.reason;
    }
    step.failure = error instanceof NodeFailure ? error.failure : failureOf(error, node);
    endStep(execution, step, 'failed');
    const failure = new NodeFailure(step.failure, error);
    execution.abort(failure);
    throw failure;
  }
}

/** What ends the whole run where a node fails by it, and is no failure of the node. */
function interruptOf(error: unknown): RunInterrupt | null {
  if (error instanceof RunInterrupt) return error;
  return isDatabaseUnavailable(error) ? new RunInterrupt('database_away', 'the database is away') : null;
}

const questionOf = ({ inputs }: Step) => (inputs as { readonly question?: string } | null)?.question ?? '';

function restoreAnswer({ flow }: Scope, results: Results, cites: boolean, { endedAt }: Step): void {
  const { text, parts = [] } = results as { readonly text: string; readonly parts?: readonly RunPart[] };
  flow.parts?.push(...parts);
  if (flow.answers !== null) flow.answers.recall(text, cites);
  else flow.collected.push({ text, at: endedAt?.getTime() ?? 0 });
}

function skipStep({ flow: { execution }, prefix }: Scope, node: AgentNodeForm): void {
  const key = `${prefix}${node.id}`;
  if (execution.admit(key) !== null) return;
  const step = newStep(key, node.id, node.kind);
  execution.steps.set(key, step);
  endStep(execution, step, 'skipped');
}

/** Whether the edge is taken, once its node has run. */
const isTaken = (edge: AgentEdge, node: AgentNodeForm, results: Results) =>
  node.kind !== 'condition' || edge.branch === undefined || edge.branch === results['branch'];

/**
 * Runs the nodes of a scope in data-flow order: each once all before it have run or cannot run any more. Rejects with the first failure,
 * NodeFailure or the signal's reason; with InputRequired where nothing is left but what waits for a person.
 */
export function runScope(deps: ScopeDeps, scope: Scope): Promise<void> {
  const { graph, execution } = scope.flow;
  const nodes = graph.children(scope.container);
  const left = new Map(nodes.map(({ id }) => [id, graph.into(id).length]));
  const live = new Set<string>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let running = 0;
  let waits = false;
  let failure: { readonly error: unknown } | null = null;

  // Also after a failure it is waited until all has ended: nothing is written of a run that is over.
  const close = () => {
    if (running > 0) return;
    if (failure) reject(failure.error);
    else if (waits) reject(new InputRequired(null));
    else resolve();
  };

  function settle(node: AgentNodeForm, results: Results | null): void {
    for (const edge of graph.out(node.id)) {
      if (results !== null && isTaken(edge, node, results)) live.add(edge.to);
      const rest = (left.get(edge.to) ?? 0) - 1;
      left.set(edge.to, rest);
      const next = graph.nodes.get(edge.to);
      if (rest > 0 || next === undefined) continue;
      if (live.has(next.id)) begin(next);
      else {
        skipStep(scope, next);
        settle(next, null);
      }
    }
  }

  async function run(node: AgentNodeForm): Promise<void> {
    try {
      const results = await runStep(deps, scope, node);
      scope.results.set(node.id, results);
      if (failure === null) settle(node, results);
    } catch (error) {
      if (!(error instanceof InputRequired)) failure ??= { error };
      else {
        waits = true;
        if (error.question !== null) execution.questions.push(error.question);
      }
    } finally {
      running--;
      close();
    }
  }

  function begin(node: AgentNodeForm): void {
    running++;
    void run(node);
  }

  // Counted as one until all of them have begun.
  running++;
  for (const node of graph.first(scope.container)) begin(node);
  running--;
  close();
  return promise;
}
