from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_schema"),
    ]

    operations = [
        migrations.RenameModel(
            old_name="Counted",
            new_name="CacheCounter",
        ),
        migrations.RenameModel(
            old_name="Link",
            new_name="OneTimeLink",
        ),
        migrations.RenameField(
            model_name="OneTimeLink",
            old_name="digest",
            new_name="token_digest",
        ),
        migrations.RenameField(
            model_name="OneTimeLink",
            old_name="submission",
            new_name="submission_id",
        ),
        migrations.RenameField(
            model_name="OneTimeLink",
            old_name="by",
            new_name="created_by",
        ),
        migrations.RenameField(
            model_name="OneTimeLink",
            old_name="made",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="OneTimeLink",
            old_name="expires",
            new_name="expires_at",
        ),
        migrations.RenameField(
            model_name="OneTimeLink",
            old_name="used",
            new_name="used_at",
        ),
        migrations.RenameField(
            model_name="Person",
            old_name="folded",
            new_name="folded_name",
        ),
        migrations.RenameField(
            model_name="Person",
            old_name="zone",
            new_name="time_zone",
        ),
        migrations.RenameField(
            model_name="Person",
            old_name="choices",
            new_name="preferences",
        ),
        migrations.RenameField(
            model_name="Person",
            old_name="joined",
            new_name="joined_at",
        ),
        migrations.AlterModelOptions(
            name="onetimelink",
            options={"ordering": ["-created_at", "-id"]},
        ),
    ]
