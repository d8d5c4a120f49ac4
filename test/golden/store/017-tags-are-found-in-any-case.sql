CREATE INDEX apk_tags_by_name on apk_tags (name collate nocase, apk_id);
