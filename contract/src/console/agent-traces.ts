import { z } from 'zod';
import { AgentDefinition } from '../agents/definition.ts';
import { RunStep } from '../agents/run.ts';
import { AgentRun } from './agent-talks.ts';
import { NamesById } from './agents.ts';

/** For those who build agents. */
export const AgentRunTrace = AgentRun.extend({
  steps: z.array(RunStep).describe('Steps in the order in which they were begun'),
  definition: AgentDefinition.describe('The definition that ran'),
  names: NamesById.optional().describe('Always present in replies'),
}).describe('A run with its steps');
export type AgentRunTrace = z.infer<typeof AgentRunTrace>;
