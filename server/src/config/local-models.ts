import { z } from 'zod';

/** What runs one model of this machine. */
const LocalModel = z
  .strictObject({
    runtime: z
      .enum(['bundled', 'llama-server'])
      .optional()
      .describe('bundled, or llama-server, a program of llama.cpp; by default llama-server for a model with mmproj'),
    mmproj: z
      .string()
      .regex(/^[^/\\]+\.gguf$/i, 'must be the name of a .gguf file of the folder of models, without a path')
      .optional()
      .describe('File of the folder of models by which the model takes images, such as mmproj-F16.gguf'),
    args: z
      .array(z.string().max(1_000))
      .max(100)
      .default([])
      .describe('Further flags for llama-server, after those of the service'),
  })
  .refine(({ runtime, mmproj }) => runtime !== 'bundled' || mmproj === undefined, {
    error: 'mmproj needs the runtime llama-server',
    path: ['mmproj'],
  });

/** Models of this machine: files in GGUF form that the service itself runs. */
export const LocalModels = z
  .strictObject({
    mirror: z
      .url({ protocol: /^https?$/, error: 'must be an address such as https://huggingface.co' })
      .default('https://huggingface.co')
      .describe('Hub that models are downloaded from, or a mirror with the same paths'),
    token: z
      .string()
      .min(1)
      .meta({ secret: true })
      .optional()
      .describe('Token of the hub, for models that ask for one; ${NAME} takes it from the environment'),
    require_checksum: z
      .boolean()
      .default(false)
      .describe(
        'Whether a download is refused for which the server gives no checksum; else it is taken with a warning',
      ),
    memory_budget: z
      .string()
      .regex(/^\d+(\.\d+)?\s*(%|[KMGT]i?B)$/i, 'must be a share such as 70% or a size such as 12GiB')
      .default('70%')
      .describe('Memory that loaded models may take together: a share of the machine (or container), or a size'),
    keep_alive_s: z
      .int()
      .min(0)
      .nullable()
      .default(900)
      .describe('How long a model that nobody uses stays in memory; null: until its room is needed'),
    load_timeout_s: z
      .int()
      .min(1)
      .max(86_400)
      .default(600)
      .describe(
        'How long a request waits for its model to be loaded, or for room to load it; the time to the first token counts from then on',
      ),
    pinned: z
      .array(z.string().min(1))
      .default([])
      .describe('Models that are loaded at the start and never unloaded, by their local id'),
    threads: z
      .int()
      .min(1)
      .max(1024)
      .optional()
      .describe('Threads of each loaded model; one fewer than the machine has cores when left out'),
    context_length: z
      .int()
      .min(256)
      .optional()
      .describe(
        'Tokens of prompt and reply together of each request; by default what the model knows and memory allows',
      ),
    parallel: z
      .int()
      .min(1)
      .max(256)
      .optional()
      .describe('Requests that one model answers at a time; up to 4 by default, as memory allows'),
    max_queue: z.int().min(0).default(64).describe('Requests that may wait for their turn at one model'),
    gpu: z
      .string()
      .min(1)
      .default('auto')
      .describe('auto, off, cuda, vulkan, metal, or the number of layers to give to the GPU; needs a GPU build'),
    runtime_dir: z
      .string()
      .min(1)
      .optional()
      .describe('Folder whose node_modules hold another build of node-llama-cpp, such as one for a GPU'),
    llama_server: z
      .string()
      .min(1)
      .optional()
      .describe('Path of a llama-server of llama.cpp, for models that it is to run, such as those that take images'),
    models: z
      .record(z.string().min(1), LocalModel)
      .default({})
      .describe('What runs single models, by their local ids; the bundled runtime where nothing is said'),
  })
  .superRefine(({ llama_server: server, models }, context) => {
    for (const [id, { runtime, mmproj }] of Object.entries(models))
      if (server === undefined && (runtime === 'llama-server' || mmproj !== undefined))
        context.addIssue({
          code: 'custom',
          message: 'needs llama-server: set local_models.llama_server to the path of that program',
          path: ['models', id, mmproj === undefined ? 'runtime' : 'mmproj'],
        });
  });
