// How many APKs each rule matches is counted as matches come and go.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '062-rules-count-the-apks-that-they-match',
  apply(database) {
    database.exec(`
      create table rule_counts (
        ruleset_id integer not null references rulesets (id) on delete cascade,
        name text not null collate nocase,
        apks integer not null,
        primary key (ruleset_id, name)
      ) strict, without rowid;
      insert into rule_counts
        select ruleset_id, name, count(*) from match_rules join matches on matches.id = match_id group by 1, 2;
      create trigger rule_counted after insert on match_rules begin
        insert into rule_counts select ruleset_id, new.name, 1 from matches where id = new.match_id
          on conflict do update set apks = apks + 1;
      end;
      create trigger rule_uncounted after delete on match_rules begin
        update rule_counts set apks = apks - 1
          where name = old.name and ruleset_id = (select ruleset_id from matches where id = old.match_id);
        delete from rule_counts
          where apks = 0 and name = old.name
          and ruleset_id = (select ruleset_id from matches where id = old.match_id);
      end;
      -- Its rules have to go while it tells which ruleset they are of.
      create trigger match_rules_deleted before delete on matches begin
        delete from match_rules where match_id = old.id;
      end;
    `);
  },
};
