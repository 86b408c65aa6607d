/** Places for values in the Korean words; words.test.ts writes this. */
export interface Slots {
  overview: {
    welcome: '{{name}}';
    steps_done: '{{all}} {{done}}';
    models_ready: '{{total}} {{ready}}';
    loaded: '{{models}}';
    reviews_wait: '{{count}}';
    agent_approved: '{{number}} {{by}}';
    agent_rejected: '{{number}} {{by}}';
    put_away: '{{name}}';
    failed_documents: '{{shown}}';
    key_expires: '{{date}}';
    busiest: '{{requests}} {{tokens}}';
  };
  parser: {
    drop: {
      hint: '{{bytes}}';
    };
    kept: '{{hours}}';
    pages_other: '{{shown}}';
    read_pages: '{{total}} {{done}}';
    read_so_far: '{{done}}';
    cancel: '{{name}}';
    cancel_upload: '{{name}}';
    dismiss: '{{name}}';
    remove: '{{name}}';
    remove_text: '{{name}}';
    page_named: '{{number}} {{name}}';
    zoom: '{{percent}}';
    picture_of: '{{page}}';
    block_of: '{{class}} {{text}}';
    level: '{{level}}';
    confidence: '{{percent}}';
    part_of: '{{total}} {{from}} {{to}}';
    rows_of: '{{total}} {{from}} {{to}}';
    warnings_other: '{{count}}';
    more_warnings: '{{count}}';
    warning_on: '{{page}} {{message}}';
    code_hint: '{{variable}}';
    source_of: '{{page}} {{format}}';
  };
  speech: {
    write: {
      hint: '{{bytes}}';
      recording: '{{time}}';
      sending: '{{name}}';
      reading: '{{name}}';
      working: '{{name}}';
      far: '{{length}} {{done}} {{percent}}';
      canceled: '{{name}}';
      kept: '{{name}}';
      facts: '{{length}} {{model}}';
      play: '{{time}}';
      save: '{{kind}}';
    };
    say: {
      count: '{{count}} {{most}}';
    };
  };
  playground: {
    pane: '{{number}} {{model}}';
    settings_of: '{{model}}';
    answer_of: '{{model}}';
    instead: '{{model}} {{asked}}';
    prompt_tokens: '{{tokens}}';
    completion_tokens: '{{tokens}}';
    reasoning_tokens: '{{tokens}}';
    first_token: '{{time}}';
    duration: '{{time}}';
    speed: '{{speed}}';
    result_of: '{{call}}';
    standard: '{{value}}';
    range: '{{min}} {{max}}';
    code_hint: '{{variable}}';
  };
  agents: {
    copy_id: '{{name}}';
    version_number: '{{number}}';
    overview: {
      deployed_now: '{{number}}';
      pending: '{{number}} {{name}}';
      rejected: '{{number}}';
      rejected_by: '{{name}}';
      approved: '{{number}}';
      version_of: '{{number}}';
    };
    acts: {
      deploy: '{{number}}';
      deploy_hint: '{{number}}';
      deployed: '{{number}}';
      rollback: '{{number}}';
      remove_hint: '{{name}}';
      export_version: '{{number}}';
      restore_hint: '{{number}}';
      restored: '{{number}}';
    };
    bulk: {
      archived_other: '{{count}}';
      unarchived_other: '{{count}}';
      archive_text: '{{names}}';
      remove_text_other: '{{count}} {{names}}';
      removed_other: '{{count}}';
    };
    versions: {
      more: '{{number}}';
    };
    difference: {
      beside_now: '{{number}}';
      beside_then: '{{number}}';
    };
    failures: {
      of: '{{name}}';
    };
    values: {
      unknown: '{{id}}';
      page: '{{number}}';
      score: '{{score}}';
    };
    sessions: {
      number: '{{number}}';
    };
    trace: {
      attempts: '{{count}}';
    };
    call: {
      code_hint: '{{variable}}';
    };
    usage: {
      days: '{{days}}';
    };
  };
  reviews: {
    review_of: '{{name}}';
    approve_hint: '{{number}}';
  };
  chat: {
    more: '{{title}}';
    greeting: '{{name}}';
    new_with: '{{name}}';
    instead: {
      unavailable: '{{asked}} {{model}}';
      overloaded: '{{asked}} {{model}}';
      context_length: '{{asked}} {{model}}';
    };
    tokens: '{{tokens}}';
    first_token: '{{time}}';
    version_of: '{{number}} {{total}}';
    take_out: '{{name}}';
    file_pages: '{{pages}} {{size}}';
    picture_of: '{{name}}';
    model_sees_not: '{{model}} {{models}}';
    too_many_files: '{{count}}';
    examples_of: '{{name}}';
    with_temperature: '{{value}}';
    with_top_p: '{{value}}';
    with_max_tokens: '{{value}}';
    beside_hint: '{{count}}';
    beside_on: '{{name}}';
    folder_of: '{{name}}';
    options_count_other: '{{count}}';
    removed: '{{title}}';
    removed_several_other: '{{count}}';
  };
  users: {
    invite_mailed: '{{email}}';
    email_hint: '{{name}}';
    role_of: '{{name}}';
    more: '{{name}}';
    disable_hint: '{{name}}';
    disable_many_hint: '{{count}} {{names}}';
    remove_many_hint: '{{count}} {{names}}';
    remove_hint: '{{name}}';
  };
  usage: {
    days: '{{days}}';
    canceled_other: '{{count}}';
    tokens_of: '{{prompt}} {{completion}}';
    said_other: '{{characters}}';
    p95: '{{time}}';
  };
  tenants: {
    link_hint: '{{tenant}}';
    enter_one: '{{name}}';
    enter_hint: '{{name}}';
    entered: '{{name}}';
    rename_one: '{{name}}';
  };
  shell: {
    page_opened: '{{page}}';
    version: '{{version}}';
    waiting: '{{count}}';
    news: '{{count}}';
  };
  parts: {
    confirm_typed: '{{word}}';
    table_find: '{{label}}';
    table_filters_set: '{{count}}';
    rows_found: '{{total}} {{shown}}';
    rows_here: '{{shown}}';
    rows_selected: '{{count}}';
    select_row: '{{name}}';
    select_all: '{{count}}';
    sort_by: '{{column}}';
    page_of: '{{total}} {{page}}';
    pages_of: '{{label}}';
    rows_total: '{{total}}';
    image_blocked: '{{alt}}';
    copy_link: '{{until}}';
    of_total: '{{total}}';
  };
  errors: {
    reasons: {
      too_many_attempts: '{{seconds}}';
      engine_failed: '{{status}}';
      personal_values: '{{types}}';
      file_incomplete: '{{all_bytes}} {{have_bytes}}';
      file_parts_missing: '{{files}} {{missing}}';
      file_id_taken: '{{id}} {{file}}';
      download_cut: '{{host}}';
      download_login: '{{host}}';
      download_refused: '{{host}}';
      download_missing: '{{host}}';
      download_busy: '{{host}}';
      download_failed: '{{host}} {{status}}';
      document_too_large: '{{max_bytes}}';
      audio_needs_ffmpeg: '{{format}}';
      filters_wrong: '{{at}}';
      too_many_questions: '{{limit}}';
      extraction_schema: '{{why}}';
      too_many_documents: '{{limit}}';
      too_many_extractions: '{{limit}}';
      too_many_connectors: '{{limit}}';
      tool_address_closed: '{{host}}';
      tool_header: '{{name}}';
      agent_form: '{{problem}}';
      agent_unknown_fields: '{{fields}}';
      agent_saved_elsewhere: '{{name}}';
      agent_has_errors: '{{errors}}';
    };
  };
  fields: {
    too_short: '{{minimum}}';
    too_long: '{{maximum}}';
    too_low: '{{minimum}}';
    too_high: '{{maximum}}';
  };
  talk: {
    version_number: '{{number}}';
    tokens_used: '{{tokens}}';
    source_of: '{{number}} {{name}}';
    source_page: '{{page}}';
    source_page_picture: '{{page}}';
    detach: '{{name}}';
    more_rows: '{{rows}} {{shown}}';
    save_file: '{{name}}';
  };
  privacy: {
    try: {
      count_other: '{{count}}';
      failed: '{{name}} {{reason}}';
    };
    found: {
      days: '{{days}}';
    };
  };
  network: {
    added: '{{host}}';
    remove_of: '{{host}}';
    remove_hint: '{{host}}';
  };
  login: {
    with_sso: '{{name}}';
  };
  link: {
    invite_title: '{{tenant}}';
    invited_by: '{{inviter}} {{role}}';
    invited_as: '{{role}}';
    accept_hint: '{{email}} {{tenant}}';
    sign_in_first: '{{email}}';
  };
  agentBuilder: {
    conflict: {
      title_by: '{{name}}';
    };
    gone: '{{id}}';
    cases_of_other: '{{count}}';
    each_of: '{{items}}';
    at_most_other: '{{count}}';
    tokens: '{{tokens}}';
    problem_count_other: '{{count}}';
    edge_label: '{{from}} {{to}}';
    edge_label_branch: '{{from}} {{branch}} {{to}}';
    a11y: {
      moved: '{{x}} {{y}}';
    };
    said: {
      added: '{{name}}';
      inserted: '{{after}} {{name}}';
      removed_other: '{{count}}';
      connected: '{{from}} {{to}}';
      copied_other: '{{count}}';
      pasted_other: '{{count}}';
    };
    acts_of: '{{name}}';
    connect_from: '{{name}}';
    move_into: '{{name}}';
    moved_into: '{{name}}';
    comes_from: '{{name}}';
    remove_edge: '{{edge}}';
    nodes_chosen_other: '{{count}}';
    edges_chosen_other: '{{count}}';
    insert_result_into: '{{field}}';
    test_number: '{{number}}';
    remove_test: '{{number}}';
    case_number: '{{number}}';
    remove_case: '{{name}}';
    case_up: '{{name}}';
    case_down: '{{name}}';
    remove_variable: '{{name}}';
    remove_tool: '{{name}}';
    remove_argument: '{{name}}';
    not_checked: '{{reason}}';
    run_with_errors_other: '{{count}}';
    remove_part: '{{number}}';
    page: '{{number}}';
    trace: {
      more_other: '{{count}}';
    };
  };
  profilePage: {
    must_hint: '{{tenant}}';
    recovery: {
      file_title: '{{email}}';
    };
    passkeys: {
      created: '{{at}}';
      rename_one: '{{name}}';
      remove_one: '{{name}}';
      remove_hint: '{{name}}';
    };
    sessions: {
      device: '{{system}} {{browser}}';
      since: '{{at}}';
      end_one: '{{device}}';
      end_hint: '{{device}} {{address}}';
    };
  };
  auditPage: {
    days: '{{days}}';
    export_too_many: '{{most}}';
  };
  answers: {
    shared_on: '{{date}}';
    shared_by: '{{name}} {{date}}';
    shared_own: '{{date}}';
    ratings_up: '{{count}}';
    ratings_down: '{{count}}';
  };
  modelsPage: {
    more: '{{name}}';
    embedder: {
      dimension: '{{dimension}}';
      tokens: '{{tokens}}';
      norm: '{{norm}}';
      shorter: '{{tokens}}';
      other_dimension: '{{declared}}';
    };
    in_flight_other: '{{count}}';
    bind_title: '{{id}}';
    bind_hint: '{{id}}';
    memory_used: '{{budget}} {{used}}';
    speed: '{{speed}}';
    time_left: '{{time}}';
    serves: '{{ids}}';
    cancel: '{{name}}';
    give_name_title: '{{name}}';
    embedder_settings_title: '{{name}}';
    embedder_needed_other: '{{count}} {{names}}';
    remove_part_hint: '{{name}}';
    remove_hint: '{{name}}';
    remove_needed_others_other: '{{count}}';
    download_size: '{{size}}';
    memory_size: '{{size}}';
    license: '{{license}}';
    uploaded: '{{name}}';
    none_here_hint: '{{folder}}';
    change_server: '{{name}}';
    disconnect_hint: '{{name}} {{models}}';
    address_weight: '{{weight}}';
    test_ok_other: '{{time}} {{count}}';
    server_problems: {
      not_allowed: '{{host}}';
      nothing_listens: '{{host}}';
      nothing_listens_here: '{{host}}';
      unknown_host: '{{host}}';
      no_route: '{{host}}';
      no_tls: '{{host}}';
      wrong_protocol: '{{host}}';
      timeout: '{{host}}';
      broken: '{{host}}';
      key_missing: '{{host}}';
      key_wrong: '{{host}}';
      busy: '{{host}}';
      starting: '{{host}} {{status}}';
      redirects: '{{host}}';
      list_elsewhere: '{{address}}';
      web_page: '{{host}}';
      other_answer: '{{host}} {{status}}';
    };
    id_of: '{{model}}';
  };
  promptsPage: {
    remove_hint: '{{name}}';
    content_hint: '{{sample}}';
    content_example: '{{sample}}';
    versions_of: '{{name}}';
    version: '{{version}}';
    use_of: '{{name}}';
    more: '{{name}}';
    copy_name: '{{name}}';
    count_other: '{{count}}';
    removed_other: '{{count}}';
  };
  chatTools: {
    fill_hint: '{{name}}';
    folder_remove_hint: '{{name}}';
    compare_stop: '{{model}}';
    compare_choose_of: '{{model}}';
    bulk: {
      selected_other: '{{count}}';
      file_other: '{{count}}';
      pinned_other: '{{count}}';
      unpinned_other: '{{count}}';
      moved_other: '{{count}}';
    };
  };
  toolsPage: {
    tools_count_other: '{{count}}';
    left_out_other: '{{count}} {{names}}';
    problems: {
      credentials: '{{status}}';
      not_mcp: '{{status}}';
      status: '{{status}}';
      too_many: '{{most}}';
      version: '{{version}}';
    };
    service_problems: {
      status: '{{status}}';
    };
    more: '{{name}}';
    checked: '{{name}}';
    tools_of: '{{name}}';
    details_of: '{{name}}';
    try_of: '{{name}}';
    result_done: '{{time}}';
    open_host: '{{host}}';
    document: {
      title: '{{name}}';
      argument_added: '{{name}}';
      argument_removed: '{{name}}';
      argument_changed: '{{name}}';
      used: '{{names}}';
      taken: '{{name}}';
    };
    headers_kept: '{{names}}';
    remove_header: '{{number}}';
    added: '{{name}}';
    change: '{{name}}';
    remove_hint: '{{name}} {{count}}';
    remove_used: '{{names}}';
  };
  keysPage: {
    connect: '{{program}}';
    days: '{{days}}';
    default_limit: '{{limit}}';
    privacy_of: '{{mode}}';
    usage_of: '{{requests}} {{tokens}}';
    remove_key: '{{name}}';
    remove_many_hint: '{{count}} {{names}}';
    remove_hint: '{{name}}';
  };
  invitePeople: {
    problems: {
      role: '{{role}}';
    };
    summary: '{{ready}} {{skipped}} {{wrong}}';
    invite_other: '{{count}}';
    progress: '{{total}} {{done}}';
    done: '{{count}}';
    failed: '{{count}} {{why}}';
  };
  collectionsPage: {
    bulk: {
      remove_text_other: '{{count}} {{documents}}';
      removed_other: '{{count}}';
      shown: {
        private_other: '{{count}}';
        tenant_other: '{{count}}';
      };
    };
    owner_key: '{{name}}';
    read_only: '{{owner}}';
    reindexing: '{{model}}';
    reindex_waits: '{{reason}}';
    reindex_failed: '{{reason}}';
    drop: {
      hint: '{{bytes}}';
      many: '{{shown}} {{shown}}';
    };
    upload: {
      going: '{{total}} {{done}}';
      waiting: '{{seconds}}';
      done_other: '{{count}}';
      failed_other: '{{count}}';
      retry: '{{name}}';
      dismiss: '{{name}}';
      more_other: '{{count}}';
    };
    group_of: '{{group}} {{shown}}';
    actions_of: '{{name}}';
    select: '{{name}}';
    selected_other: '{{count}}';
    reindex_begun_other: '{{count}}';
    total_documents_other: '{{count}}';
    document_removed: '{{name}}';
    documents_removed: '{{count}}';
    settings: {
      owner_now: '{{owner}}';
      owner_changed: '{{owner}}';
      remove_text: '{{documents}} {{chunks}}';
      dimension: '{{dimension}}';
      prefixes: '{{query}} {{passage}}';
    };
    document: {
      readers: '{{readers}}';
      readers_more: '{{readers}}';
      group_members: '{{members}}';
      page_of: '{{page}}';
      picture_of: '{{page}}';
      page_chunks: '{{page}}';
      chunk_number: '{{number}}';
      tokens: '{{shown}}';
      pages_span: '{{from}} {{to}}';
      edit_chunk: '{{number}}';
      remove_chunk: '{{number}}';
    };
    search: {
      settings_of: '{{side}}';
      remove_filter: '{{number}}';
      found: '{{shown}} {{duration}}';
      page: '{{page}}';
      rank: '{{rank}}';
      rank_change: '{{rank}}';
      used: '{{mode}} {{model}}';
      away: '{{model}}';
      query_cut: '{{model}}';
      reranker_away: '{{model}}';
      code_hint: '{{variable}}';
      matches: '{{count}}';
      duplicates: '{{names}}';
      expanded: '{{texts}}';
      expansion_away: '{{model}}';
    };
    extraction: {
      field: '{{number}}';
      remove_field: '{{number}}';
      progress: '{{total}} {{done}}';
      failed: '{{failed}}';
      failure: '{{reason}}';
      page: '{{page}}';
      more: '{{more}}';
    };
    evaluation: {
      gone: '{{name}}';
      remove: '{{question}}';
      remove_all_text: '{{total}}';
      unknown: '{{document}}';
      added_other: '{{count}}';
      present_other: '{{count}}';
      rows_wrong_other: '{{count}}';
      row: '{{row}}';
      row_errors: {
        unknown_document: '{{document}}';
      };
      file_errors: {
        many: '{{limit}}';
      };
      proposing: '{{total}} {{done}}';
      take: '{{question}}';
      add_chosen_other: '{{count}}';
      run_of_other: '{{by}} {{total}}';
      searching: '{{total}} {{done}}';
      setting_number: '{{number}}';
      setting_edit: '{{name}}';
      setting_remove: '{{name}}';
      summary: {
        parent: '{{tokens}}';
        decay: '{{days}}';
        boosts_other: '{{count}}';
        synonyms_other: '{{count}}';
      };
      failed_text: '{{reason}}';
    };
    known: {
      title_other: '{{count}}';
      by_content: '{{name}}';
      more_other: '{{count}}';
    };
    preview: {
      found: '{{chunks}} {{least}} {{most}} {{mean}}';
      chunk: '{{order}}';
      tokens: '{{tokens}}';
    };
  };
  connections: {
    hints: {
      path: '{{folders}}';
    };
    every_minutes: '{{minutes}}';
    every_hours: '{{hours}}';
    every_days: '{{days}}';
    place_of: '{{place}} {{documents}}';
    runs_of: '{{name}}';
    actions_for: '{{name}}';
    counts: '{{seen}} {{added}} {{changed}} {{removed}}';
    counts_dry: '{{seen}} {{added}} {{changed}} {{removed}}';
    failed: '{{failed}}';
    readers_changed: '{{documents}}';
    reasons: {
      access_refused: '{{status}}';
      server_answered: '{{status}}';
      larger_than: '{{max_bytes}}';
      redirects_to: '{{address}}';
      leads_away: '{{address}}';
      not_protocol: '{{protocol}}';
      read_failed: '{{error}}';
      path_too_long: '{{limit}}';
      too_deep: '{{limit}}';
      over_limit: '{{limit}}';
      folders_over_limit: '{{limit}}';
      entries_over_limit: '{{limit}}';
      library_missing: '{{library}}';
      branch_missing: '{{branch}}';
      repository_refuses: '{{message}}';
      repository_folder_missing: '{{folder}}';
      query_fails: '{{message}}';
      column_missing: '{{column}}';
      id_missing: '{{rows}}';
      removal_waits: '{{documents}}';
    };
    held_back: '{{documents}}';
    remove_title: '{{name}}';
    remove_text: '{{documents}}';
  };
  batchList: {
    lines_of: '{{total}} {{done}}';
    failed_lines: '{{number}}';
    cancel_batch: '{{id}}';
    error_in_line: '{{line}} {{what}}';
  };
  searchIndex: {
    opensearch: '{{version}} {{host}}';
    away: '{{host}}';
    trouble: '{{reason}}';
    small_pieces: '{{small}}';
    free_of: '{{total}}';
    looked_into: '{{tables}}';
    shards_missing: '{{missing}}';
    wanted_copies: '{{replicas}}';
    node_disk: '{{used}} {{free}}';
    node_shards: '{{shards}}';
    watermarks: '{{low}} {{high}} {{flood}}';
    looked_at: '{{time}}';
    advice: {
      many_shards: '{{shards}} {{most}}';
      disk_low: '{{free}}';
      disk_beyond: {
        low: '{{node}} {{used}}';
        high: '{{node}} {{used}}';
        flood_stage: '{{node}} {{used}}';
      };
      other_shards: '{{indices}}';
      left_over: '{{indices}}';
      much_obsolete: '{{stored}} {{live}}';
      many_pieces: '{{tables}}';
      not_indexed: '{{rows}}';
    };
  };
}
