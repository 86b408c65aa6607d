import { z } from 'zod';

/**
 * Why a call of the console was refused, beyond its class: what the console has words for in both languages.
 * `null` where the class says it all.
 */
export const consoleReasons = [
  'invalid_field',
  'wrong_credentials',
  'wrong_code',
  'too_many_attempts',
  'signed_out',
  'reauthentication_needed',
  'second_factor_required',
  'wrong_origin',
  'role_missing',
  'setup_done',
  'link_invalid',
  'password_weak',
  'email_taken',
  'already_member',
  'last_administrator',
  'not_yourself',
  'member_of_other_tenants',
  'account_disabled',
  'key_limit_reached',
  'name_taken',
  'server_unreachable',
  'server_refused',
  'server_not_openai',
  'model_in_use',
  'model_busy',
  'file_exists',
  'not_a_model_file',
  'download_running',
  'answer_running',
  'sign_in_failed',
  'model_absent',
  'model_pinned',
  'model_kind_differs',
  'model_memory',
  'model_architecture',
  'model_crashed',
  'model_runtime',
  'file_name',
  'file_arriving',
  'file_incomplete',
  'file_parts_missing',
  'file_damaged',
  'file_id_taken',
  'disk_full',
  'download_stopped',
  'download_interrupted',
  'download_cut',
  'download_login',
  'download_refused',
  'download_missing',
  'download_busy',
  'download_failed',
  'download_wrong',
  'checksum_wrong',
  'checksum_missing',
  'document_too_large',
] as const;
export type ConsoleReason = (typeof consoleReasons)[number];

/** Body of a failure below `/console/api`. */
export const ConsoleError = z.object({
  error: z.object({
    code: z.string().describe('Class of the failure, such as not_found'),
    reason: z.enum(consoleReasons).nullable(),
    message: z.string().describe('In English, for logs and for reasons the console has no words for'),
    param: z.string().nullable(),
    values: z.record(z.string(), z.union([z.string(), z.number()])).describe('For the words of the reason'),
    retry_after_seconds: z.number().nullable(),
    request_id: z.string(),
  }),
});
export type ConsoleError = z.infer<typeof ConsoleError>;
