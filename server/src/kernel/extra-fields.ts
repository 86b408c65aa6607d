/**
 * Fields of model servers that no request may bring, whatever an operator lists: they move caches between servers, name files and
 * addresses that the server would open, or hold code that it would run.
 */
export const forbiddenExtraFields: readonly string[] = [
  'kv_transfer_params',
  'ec_transfer_params',
  'bootstrap_host',
  'bootstrap_port',
  'bootstrap_room',
  'lora_path',
  'custom_logit_processor',
  'logits_processors',
  'mm_processor_kwargs',
  'media_io_kwargs',
];
