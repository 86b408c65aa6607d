export { type Graph, graphOf } from './definition/graph.ts';
export {
  type Deployed,
  deployedBySlug,
  listDeployed,
  type Runnable,
  type RunnableAgent,
  runnableOf,
} from './lifecycle/runnable.ts';
