import { findingTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { inTurns, VALUES_A_TURN } from '../../kernel/turns.ts';
import type { Finding } from '../finding.ts';

/** Findings of rules as they leave the thread: four numbers each (number of the type, start, end, score), which are not copied. */
export type PackedFindings = Float64Array<ArrayBuffer>;

const NUMBERS = 4;

export function packFindings(findings: readonly Finding[]): PackedFindings {
  const packed = new Float64Array(findings.length * NUMBERS);
  for (const [at, { type, start, end, score }] of findings.entries())
    packed.set([findingTypes.indexOf(type), start, end, score], at * NUMBERS);
  return packed;
}

function* unpack(packed: PackedFindings): Generator<null, Finding[]> {
  const findings: Finding[] = [];
  for (let at = 0; at < packed.length; at += NUMBERS) {
    findings.push({
      type: findingTypes[packed[at] ?? -1] ?? 'CUSTOM',
      start: packed[at + 1] ?? 0,
      end: packed[at + 2] ?? 0,
      score: packed[at + 3] ?? 0,
    });
    if (findings.length % (VALUES_A_TURN * 10) === 0) yield null;
  }
  return findings;
}

/** In turns: a text may hold hundreds of thousands. */
export const unpackFindings = (packed: PackedFindings): Promise<readonly Finding[]> => inTurns(unpack(packed));
