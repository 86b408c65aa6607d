import type { CatalogueWeights, UnverifiedFact, Words } from './catalogue-entry.ts';
import { unverifiedText } from './catalogue.ts';

/** What a machine has for models. */
export interface ModelMachine {
  readonly cores: number;
  /** Memory that loaded models may take together, in bytes. */
  readonly memoryBudgetBytes: number;
  /** Room on the disk of the models; null where it is not known. */
  readonly freeDiskBytes: number | null;
  /** Whether a build of the runtime for a GPU is configured. */
  readonly gpu: boolean;
}

/** Whether a model suits a machine, and why. */
interface Recommendation {
  readonly model: CatalogueWeights;
  /** `good`: it fits and answers at a bearable pace; `slow`: it fits; `no`: it does not fit. */
  readonly fit: 'good' | 'slow' | 'no';
  /** Each reason as a sentence for people. */
  readonly reasons: readonly Words[];
}

const GB = 1_000_000_000;
/** Disk space that stays free, as downloads leave it. */
const SPARE_DISK_BYTES = 0.3 * GB;
/**
 * Weights that a core reads within a quarter of a second, as far as several cores share the memory: four tokens a second are about as
 * fast as people read. A rule of thumb, for processors alone.
 */
const BYTES_PER_CORE = 1 * GB;
const LONG_CONTEXT = 32_768;

const gb = (bytes: number) => `${(bytes / GB).toFixed(1)} GB`;

function memoryReason({ memoryBytes, memory32kBytes, contextLength, kind }: CatalogueWeights, budget: number): Words {
  const [need, room] = [gb(memoryBytes), gb(budget)];
  if (memoryBytes > budget)
    return {
      ko: `메모리가 ${need} 필요하지만 모델에 쓸 수 있는 메모리는 ${room}입니다.`,
      en: `It needs ${need} of memory, and models may take ${room}.`,
    };
  if (kind !== 'chat' || contextLength < LONG_CONTEXT)
    return { ko: `메모리 ${room} 중 ${need}를 씁니다.`, en: `It takes ${need} of the ${room} of memory.` };
  const long = gb(memory32kBytes);
  return memory32kBytes <= budget
    ? {
        ko: `메모리 ${room} 중 8천 토큰에 ${need}, 3만 2천 토큰에 ${long}를 씁니다.`,
        en: `It takes ${need} of the ${room} of memory with 8 k tokens, ${long} with 32 k.`,
      }
    : {
        ko: `메모리 ${room} 중 8천 토큰에 ${need}를 씁니다. 3만 2천 토큰에는 ${long}가 필요해 들어가지 않습니다.`,
        en: `It takes ${need} of the ${room} of memory with 8 k tokens; 32 k would take ${long} and do not fit.`,
      };
}

const koreanFacts: Readonly<Record<UnverifiedFact, string>> = {
  name: '파일 이름',
  revision: '판',
  size: '크기',
  sha256: 'SHA-256',
};

/** Whether a model suits a machine. */
export function recommend(model: CatalogueWeights, machine: ModelMachine): Recommendation {
  const { cores, memoryBudgetBytes, freeDiskBytes, gpu } = machine;
  const { bytes, activeShare, memoryBytes, converter, unverified, licenceNote, kind } = model;
  const reasons: Words[] = [memoryReason(model, memoryBudgetBytes)];
  const missingDisk = freeDiskBytes === null ? 0 : bytes + SPARE_DISK_BYTES - freeDiskBytes;
  if (missingDisk > 0 && freeDiskBytes !== null)
    reasons.push({
      ko: `디스크에 ${gb(bytes)}가 필요하지만 ${gb(freeDiskBytes)}만 남았습니다.`,
      en: `It needs ${gb(bytes)} of disk, and ${gb(freeDiskBytes)} are free.`,
    });
  const fits = memoryBytes <= memoryBudgetBytes && missingDisk <= 0;
  const read = bytes * activeShare;
  const slow = kind === 'chat' && !gpu && read > cores * BYTES_PER_CORE;
  if (fits && slow)
    reasons.push({
      ko: `토큰마다 ${gb(read)}를 읽으므로 코어 ${cores}개로는 느립니다.`,
      en: `It reads ${gb(read)} for each token: slow with ${cores} cores.`,
    });
  if (licenceNote !== null) reasons.push(licenceNote);
  if (converter !== null)
    reasons.push({
      ko: `파일은 만든 곳이 아니라 ${converter}가 변환했습니다.`,
      en: `The file was converted by ${converter}, not by the maker.`,
    });
  if (unverified.length > 0)
    reasons.push({
      ko: `공개된 자료에서 확인하지 못한 것이 있어, 받을 때 확인을 묻습니다: ${unverified.map((fact) => koreanFacts[fact]).join(', ')}.`,
      en: `Its ${unverifiedText(model)} could not be verified in public sources: the download asks for confirmation.`,
    });
  return { model, fit: fits ? (slow ? 'slow' : 'good') : 'no', reasons };
}

const order = { good: 0, slow: 1, no: 2 } as const;

/**
 * Models with whether they suit a machine: those that do first, of these the pinned ones, then by size, the largest first; those that do
 * not, the smallest first.
 */
export function recommendAll(models: readonly CatalogueWeights[], machine: ModelMachine): readonly Recommendation[] {
  const isPinned = ({ model }: Recommendation) => (model.unverified.length === 0 ? 0 : 1);
  const bySize = (a: Recommendation, b: Recommendation) =>
    a.fit === 'no' ? a.model.bytes - b.model.bytes : b.model.bytes - a.model.bytes;
  return models
    .map((model) => recommend(model, machine))
    .toSorted((a, b) => order[a.fit] - order[b.fit] || isPinned(a) - isPinned(b) || bySize(a, b));
}
