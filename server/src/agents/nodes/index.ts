import type { AgentNodeForm, NodeKind } from '@ai-studio/contract/agents/definition.ts';
import type { ScopeDeps } from '../runs/scope.ts';
import { runAgent } from './agent.ts';
import { runAnswer } from './answer.ts';
import { runLoop, runParallel } from './containers.ts';
import { runParse } from './documents.ts';
import { runModel } from './model/index.ts';
import type { NodeDeps, NodeRunDeps, NodeRunner } from './node.ts';
import { runRetrieve } from './retrieve.ts';
import { runAsk, runCondition, runInput, runMask } from './simple.ts';
import { runTool } from './tool.ts';

const runners: { readonly [K in NodeKind]: NodeRunner<K> } = {
  input: runInput,
  retrieve: runRetrieve,
  model: runModel,
  tool: runTool,
  parse_document: runParse,
  mask_pii: runMask,
  condition: runCondition,
  parallel: runParallel,
  loop: runLoop,
  agent: runAgent,
  ask: runAsk,
  answer: runAnswer,
};

/** What runs nodes of every kind. `failureOf`: what callers are told of a failure. */
export function createNodes(deps: NodeDeps, failureOf: ScopeDeps['failureOf']): ScopeDeps {
  const scopes: ScopeDeps = {
    failureOf,
    runNode: (kind) => {
      const run = runners[kind] as NodeRunner<AgentNodeForm['kind']>;
      return (context) => run(nodeDeps, context);
    },
  };
  const nodeDeps: NodeRunDeps = { ...deps, scopes };
  return scopes;
}
