import { expect, test } from 'vitest';
import { dialects } from './dialects.ts';

test.each(Object.entries(dialects))(
  'what concerns other callers, or replaces what the operator set, goes to no %s by itself',
  (_name, { extras }) => {
    // Whose turn it is, the template, the cache of another machine, files, addresses and code, and the form of replies.
    const never = [
      'priority',
      'chat_template',
      'kv_transfer_params',
      'mm_processor_kwargs',
      'media_io_kwargs',
      'logits_processors',
      'custom_logit_processor',
      'lora_path',
      'vllm_xargs',
      'return_hidden_states',
      'return_token_ids',
      'echo',
    ];
    expect(extras.filter((field) => never.includes(field))).toEqual([]);
  },
);

test.each(['guided_json', 'guided_regex', 'structured_outputs', 'documents', 'truncate_prompt_tokens'])(
  '%s goes to vLLM',
  (field) => {
    expect(dialects.vllm.extras).toContain(field);
  },
);
