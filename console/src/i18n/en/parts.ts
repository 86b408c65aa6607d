import type { parts as korean } from '../ko/parts.ts';
import type { Translated } from '../translated.ts';

export const parts: Translated<typeof korean> = {
  error_title: 'Something went wrong',
  error_details: 'Details',
  request_id: 'Request id',
  confirm_typed: 'Type {{word}} to go on',
  copy_code: 'Copy code',
  table_empty: 'Nothing to show',
  sort_by: 'Sort by {{column}}',
  page_of: 'Page {{page}} of {{total}}',
  rows_total: '{{total}} in all',
  next_page: 'Next page',
  previous_page: 'Previous page',
  chart_as_table: 'Show as table',
  chart_as_chart: 'Show as chart',
  chart_time: 'Time',
  never: 'Never',
  show_value: 'Show value',
  image_blocked: 'Image: {{alt}}',
};
