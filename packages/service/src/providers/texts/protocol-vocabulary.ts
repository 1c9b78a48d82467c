// A closed list: everything that is not in it is text. Collected from the type definitions of both vendors' own
// clients, from JSON Schema, and from the additions of compatible servers. A missing word costs a little time,
// because it is judged and found clean.

const split = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Names of members that the protocols define. */
export const protocolNames = split(`
  $anchor $comment $defs $dynamicAnchor $dynamicRef $id $ref $schema $vocabulary accepted_prediction_tokens
  acknowledged_safety_checks action actions active additionalItems additionalProperties allOf
  allowed_callers allowed_domains allowed_tools always annotation annotation_index annotations anyOf
  applied_edits approval_request_id approve approximate arguments attributes audio audio_tokens audio_url
  authorization authorization_token b64_json background best_of betas billing block_binding blocked_domains
  budget_tokens button bytes cache_control cache_creation cache_creation_input_tokens cache_miss_reason
  cache_missed_input_tokens cache_read_input_tokens cache_write_tokens cached_tokens caching call_id caller
  caller_id categories category category_applied_input_types category_scores chat_template_kwargs choices
  chunking_strategy citation citations cited_text city clear_at clear_at_least clear_tool_inputs
  cleared_input_tokens cleared_thinking_turns cleared_tool_uses client_tool_results close_tab code command
  commands compact_threshold compaction completed_at completion_time completion_tokens
  completion_tokens_details configs connector_id const container container_id contains content
  contentEncoding contentMediaType contentSchema content_block content_index content_parts context
  context_management conversation conversation_id coordinate cost cost_details country created created_at
  created_by cursor_position custom custom_id data default default_config defer_loading definition
  definitions deleted delta delta_index dependencies dependentRequired dependentSchemas deprecated depth
  description detail diagnostics diff dimensions disable_parallel_tool_use display display_height
  display_height_px display_number display_width display_width_px document_ids document_index document_title
  domain domain_secrets double_click download_id duration eager_input_streaming echo edits effort else
  embedding embedding_weight enable_zoom enabled encoding_format encrypted_content encrypted_index
  encrypted_stdout end_block_index end_char_index end_index end_page_number enum env environment
  ephemeral_1h_input_tokens ephemeral_5m_input_tokens error error_code error_message estimated_tokens
  eval_count event example examples exclude_tools exclusiveMaximum exclusiveMinimum execution exit_code
  expires_at explanation extra_content fallback_credit fallback_credit_token fallback_has_prefill_claim file
  file_data file_id file_ids file_text file_type file_upload file_url filename filter filters find
  fingerprint finish_reason flagged form_input format frequency_penalty from function function_call
  functions generate_summary generation_config get_page_text google grammar headers hold_key hover
  hybrid_search id if image image_tokens image_url images include include_obfuscation include_usage
  incomplete_details index inference_geo input input_audio input_examples input_fidelity input_image_mask
  input_schema input_tokens input_tokens_details input_transformations input_video insert_line insert_text
  instructions is_byok is_error is_file_update item item_id item_ids items iterations javascript_exec
  json_schema keep key keys left_click left_click_drag left_mouse_down left_mouse_up lines list_tabs
  logit_bias logprob logprobs logs matched_stop maxContains maxItems maxLength maxProperties max_characters
  max_completion_tokens max_content_tokens max_new_tokens max_num_results max_output_length
  max_output_tokens max_search_results max_tokens max_tool_calls max_uses maximum mcp_server_name
  mcp_servers media_type memory_limit message message_id messages metadata middle_click mime_type
  minContains minItems minLength minProperties min_p minimum modalities mode model moderation modifiers
  mouse_move multipleOf n n_predict name namespace native_finish_reason navigate network_policy never
  new_lines new_path new_start new_str new_tab not nullable num_lines num_predict num_sources_used
  obfuscation object old_lines old_path old_start old_str oneOf operation order original_input_tokens
  outcome output output_compression output_config output_format output_index output_modalities output_parsed
  output_schema output_text output_tokens output_tokens_details outputs oversized_image page_age
  parallel_tool_calls param parameters parsed parsed_arguments part partial_image_b64 partial_image_index
  partial_images partial_json path paths pattern patternProperties pause_after_compaction payer
  pending_safety_checks phase policy prediction prefixItems prefix_mismatch_behavior presence_penalty
  previous_interaction_id previous_message_id previous_response_id prompt prompt_cache_breakpoint
  prompt_cache_hit_tokens prompt_cache_key prompt_cache_miss_tokens prompt_cache_options
  prompt_cache_retention prompt_eval_count prompt_logprobs prompt_time prompt_tokens prompt_tokens_details
  properties propertyNames propertyOrdering provider_specific_fields quality queries query queue_time ranker
  ranking_options readOnly read_console read_network read_only read_page reason reasoning reasoning_content
  reasoning_details reasoning_effort reasoning_tokens recommended_model ref refusal region
  rejected_prediction_tokens remaining remove_to_redeem repetition_penalty request_id require_approval
  required response response_format response_id response_inclusion result results retrieved_at return_code
  right_click role safety_identifier schema score score_threshold screenshot scroll scroll_amount
  scroll_direction scroll_to scroll_x scroll_y search_content_types search_context_size search_parameters
  search_result_index seed sequence_number server_description server_label server_name server_tool_results
  server_tool_use server_url service_tier signature size size_bytes skill_id skills source sources speed
  start_block_index start_char_index start_coordinate start_index start_line start_page_number
  starting_after state_changes status stderr stdout stop stop_details stop_reason stop_sequence
  stop_sequences store stream stream_options strict suffix summary summary_index switch_tab syntax system
  system_fingerprint tab_id tabs target task_budget temperature text text_offset text_tokens text_weight
  then thinking thinking_blocks thinking_tokens thought_signature thread timeout_ms timezone title to token
  token_logprobs tokens tool tool_call_id tool_calls tool_changes tool_choice tool_configuration tool_id
  tool_name tool_names tool_plan tool_references tool_usage tool_use_id tools toolset_name top_k
  top_logprobs top_p total total_lines total_time total_tokens transcript transformations trigger
  triple_click truncation ttl tunnel_id type unevaluatedItems unevaluatedProperties uniqueItems unsupported
  upstream_inference_cost url url_citation url_sources usage use_cache user user_id user_input user_location
  user_profile_id value variables vector_store_ids verbosity version video_tokens video_url view_range voice
  wait web_fetch_requests web_search_options web_search_requests weight working_directory workspace_id
  writeOnly x y zoom
  billed_units documents harassment harassment/threatening hate hate/threatening illicit
  illicit/violent max_tokens_per_doc meta relevance_score return_documents revised_prompt
  search_units self-harm self-harm/instructions self-harm/intent sexual sexual/minors style top_n violence
  violence/graphic
`)

/** Values that the protocols define for members such as `type` and `role`. */
export const protocolWords = split(`
  1024x1024 1024x1536 1024x1792 1536x1024 16g 1792x1024 1g 1h 24h 256x256 30m 4g 512x512 5m 64g aac adaptive
  additional_tools advisor advisor_20260301 advisor_message advisor_redacted_result advisor_result
  advisor_tool_result advisor_tool_result_error all all_turns allowed_tools allowlist alloy always and
  anthropic any application/json application/pdf application/zip apply_patch apply_patch_call
  apply_patch_call_output approximate array asc ash assistant audio audio/mp3 audio/mpeg audio/wav audio_url
  auto available_tools_limit_exceeded back ballad base64 bash bash_20241022 bash_20250124
  bash_code_execution bash_code_execution_output bash_code_execution_result bash_code_execution_tool_result
  bash_code_execution_tool_result_error batch best_effort between_tools binary bio bio_policy block
  body_mismatch boolean browser browser_state browser_toolset_20260801 byte cache_control calling cancelled
  cedar char_location chat.completion chat.completion.chunk chat.completion.deleted citations_delta
  clear_thinking_20251015 clear_tool_uses_20250919 click client close_tab code_execution
  code_execution_20250522 code_execution_20250825 code_execution_20260120 code_execution_20260521
  code_execution_output code_execution_result code_execution_tool_result code_execution_tool_result_error
  code_interpreter code_interpreter_call code_interpreter_call.outputs commentary compact_20260112
  compaction compaction_block_ambiguous compaction_block_misplaced compaction_content_mismatch
  compaction_delta compaction_incomplete_turn compaction_nothing_to_summarize compaction_signature_invalid
  compaction_too_many_tool_references compaction_tool_changes_mismatch compaction_trigger
  compaction_unavailable completed computer computer_20241022 computer_20250124 computer_20251124
  computer_call computer_call_output computer_call_output.output.image_url computer_screenshot
  computer_toolset_20260801 computer_use computer_use_preview concise connector_dropbox connector_gmail
  connector_googlecalendar connector_googledrive connector_microsoftteams connector_outlookcalendar
  connector_outlookemail connector_sharepoint container_auto container_file_citation container_reference
  container_upload content content_block_delta content_block_location content_block_start content_block_stop
  content_filter content_filtered content_too_large context_management continuation_excluded
  continuation_only continue coordinate coral create create_file critic current_turn cursor_position custom
  custom_tool_call custom_tool_call_output cyber data_residency_mismatch date date-time default
  default-2024-11-15 delete delete_file desc detailed developer direct disabled discriminator document
  double double_click down download_completed download_failed download_started downsize drag drop_block
  duration echo edit email embedding empty_image_file enabled encrypted_code_execution_result end end_turn
  end_user_binding_mismatch eos ephemeral eq error eu except excluded exec execution_time_exceeded exit
  expired explicit failed failed_to_download_image fallback fallback_message fallbacks fast file
  file_citation file_not_found file_path file_search file_search_call file_search_call.results file_upload
  final_answer find find_in_page flac flex float form_input forward frontier_llm full function function_call
  function_call_output general_harms generate generating get_page_text global grammar gt gte hd high hipaa
  hold_key hostname hover image image/gif image/heic image/heif image/jpeg image/png image/svg+xml
  image/webp image_content_policy_violation image_file_not_found image_file_too_large image_generation
  image_generation_call image_parse_error image_too_large image_too_small image_url implicit in in_memory
  in_progress incomplete inference_hooks inline input_audio input_file input_image input_json_delta
  input_text input_tokens input_video insert int32 int64 integer interactive interpreting
  invalid_base64_image invalid_grant invalid_image invalid_image_format invalid_image_mode invalid_image_url
  invalid_prompt invalid_subject_token invalid_target_model invalid_tool_input ipv4 ipv6 item_reference
  javascript_exec jpeg json_object json_schema key keypress lark left left_click left_click_drag
  left_mouse_down left_mouse_up length linux list list_tabs local local_shell local_shell_call
  local_shell_call_output logs low lt lte mac marin max max_output_tokens max_tokens max_uses_exceeded mcp
  mcp_approval_request mcp_approval_response mcp_call mcp_list_tools mcp_tool_listing mcp_tool_reference
  mcp_tool_result mcp_tool_use mcp_toolset mcp_toolset_reference medium memory memory_20250818 message
  message.input_image.image_url message.output_text.logprobs message_delta message_start message_stop
  messages_changed middle_click minimal model model_binding_mismatch model_changed
  model_context_window_exceeded model_length model_not_found moderation_result moderation_results mouse_move
  move mp3 namespace navigate ne never new_tab next_user_message nin none not_applied not_available
  not_enabled null number object omitted on_demand only opaque open_page opus or
  organization_binding_mismatch original output_audio output_file_too_large output_text overloaded
  page_location password pause_turn pcm16 pdf performance ping png prefix_binding_mismatch
  previous_message_not_found priority pro program program_output programmatic programmatic_tool_calling
  prompt_too_long python query_too_long queued rate_limit_exceeded read_console read_network read_page
  reasoning reasoning.encrypted reasoning.encrypted_content reasoning.summary reasoning.text
  reasoning_extraction reasoning_text redacted_thinking redeemed ref refusal regex rename
  reprice_unavailable request_too_large required response response.audio.delta response.audio.done
  response.audio.transcript.delta response.audio.transcript.done response.code_interpreter_call.completed
  response.code_interpreter_call.in_progress response.code_interpreter_call.interpreting
  response.code_interpreter_call_code.delta response.code_interpreter_call_code.done response.compaction
  response.completed response.content_part.added response.content_part.done response.create response.created
  response.custom_tool_call_input response.custom_tool_call_input.delta response.custom_tool_call_input.done
  response.failed response.file_search_call.completed response.file_search_call.in_progress
  response.file_search_call.searching response.function_call_arguments.delta
  response.function_call_arguments.done response.image_generation_call.completed
  response.image_generation_call.generating response.image_generation_call.in_progress
  response.image_generation_call.partial_image response.in_progress response.incomplete
  response.mcp_call.completed response.mcp_call.failed response.mcp_call.in_progress
  response.mcp_call_arguments.delta response.mcp_call_arguments.done response.mcp_list_tools.completed
  response.mcp_list_tools.failed response.mcp_list_tools.in_progress response.output_item.added
  response.output_item.done response.output_text.annotation.added response.output_text.delta
  response.output_text.done response.queued response.reasoning_summary_part.added
  response.reasoning_summary_part.done response.reasoning_summary_text.delta
  response.reasoning_summary_text.done response.reasoning_text.delta response.reasoning_text.done
  response.refusal.delta response.refusal.done response.web_search_call.completed
  response.web_search_call.in_progress response.web_search_call.searching right right_click sage scale score
  screenshot scroll scroll_to search search_result search_result_location searching server server_error
  server_tool_use shell shell_call shell_call_output shimmer signature_delta skill_reference standard
  standard_only stop stop_sequence stop_token str_replace str_replace_based_edit_tool str_replace_editor
  strict string summarize summarized summary_text switch_tab system system_changed tab_opened
  temporarily_unavailable text text/csv text/html text/markdown text/plain text_completion text_delta
  text_editor_20241022 text_editor_20250124 text_editor_20250429 text_editor_20250728
  text_editor_code_execution text_editor_code_execution_create_result
  text_editor_code_execution_str_replace_result text_editor_code_execution_tool_result
  text_editor_code_execution_tool_result_error text_editor_code_execution_view_result thinking
  thinking_delta thinking_dropped thinking_mismatch_allowed thinking_turns thread_already_continued
  thread_continue_in_flight thread_fingerprint_mismatch thread_not_found thread_unsupported_request time
  timeout tokens too_many_requests tool toolContext tool_addition tool_calls tool_definition
  tool_name_conflict tool_reference tool_reference_unresolved tool_removal tool_result tool_search
  tool_search_call tool_search_output tool_search_tool_bm25 tool_search_tool_bm25_20251119
  tool_search_tool_regex tool_search_tool_regex_20251119 tool_search_tool_result
  tool_search_tool_result_error tool_search_tool_search_result tool_use tool_uses tools tools_changed
  transparent triple_click type ubuntu unavailable unknown unsupported_content_type
  unsupported_image_media_type up update_file updates uri uri-reference url url_citation url_not_accessible
  url_not_allowed url_not_in_prior_context url_too_long us user uuid variant_fields_present
  vector_store_timeout verse video video/mp4 video_url view wait wav web_fetch web_fetch_20250910
  web_fetch_20260209 web_fetch_20260309 web_fetch_20260318 web_fetch_result web_fetch_tool_result
  web_fetch_tool_result_error web_search web_search_20250305 web_search_2025_08_26 web_search_20260209
  web_search_20260318 web_search_call web_search_call.action.sources web_search_call.results
  web_search_preview web_search_preview_2025_03_11 web_search_result web_search_result_location
  web_search_tool_result web_search_tool_result_error webp wheel windows wrong_organization wrong_platform
  wrong_workspace xhigh zoom
`)
